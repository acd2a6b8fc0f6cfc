"""Where the texts of an SVG of gnuplot are, in pixels, without a browser."""

import dataclasses
import math
import re
import unicodedata
import xml.etree.ElementTree as ElementTree

# Widths of DejaVu Sans in em, the widest of the usual sans-serif fonts.
_NARROW = {**dict.fromkeys("ijl'|", 0.28), **dict.fromkeys("ft.,:;!()[] r-`’", 0.4)}
_WIDE = {**dict.fromkeys("mM", 0.97), **dict.fromkeys("wWOQ%@…", 0.9)}
_ASCENT, _DESCENT = 0.74, 0.2


def width_of(text, size):
    """The width of a text; letters of East Asia are square."""
    em = 0.0
    for c in text:
        if unicodedata.combining(c):
            continue
        if unicodedata.east_asian_width(c) in "WF":
            em += 1.0
        else:
            em += _NARROW.get(c, _WIDE.get(c, 0.68 if c.isupper() else 0.6))
    return em * size


@dataclasses.dataclass
class Text:
    """A text and the corners of its box."""

    text: str
    size: float
    corners: list

    @property
    def box(self):
        x, y = zip(*self.corners)
        return min(x), min(y), max(x), max(y)


def _placed(group):
    """translate(x,y) rotate(a)"""
    transform = group.get("transform", "")
    move = re.search(r"translate\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)", transform)
    turn = re.search(r"rotate\(\s*(-?[\d.]+)", transform)
    return (float(move[1]), float(move[2])) if move else (0.0, 0.0), float(turn[1]) if turn else 0.0


def texts_of(svg):
    """The canvas (width, height) and every text that is not empty."""
    root = ElementTree.fromstring(svg)
    size = tuple(float(root.get("viewBox").split()[i]) for i in (2, 3))
    found, seen = [], set()
    for group in root.iter():
        if not group.tag.endswith("}g") or not group.get("font-size"):
            continue
        for node in group:
            text = "".join(node.itertext()).strip() if node.tag.endswith("}text") else ""
            if not text:
                continue
            (x, y), angle = _placed(group)
            font = float(group.get("font-size"))
            width = width_of(text, font)
            anchor = group.get("text-anchor", "start")
            begin = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
            cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            if (text, x, y, font) in seen:  # drawn twice at one place, which is invisible
                continue
            seen.add((text, x, y, font))
            corners = [(x + u * cosine - v * sine, y + u * sine + v * cosine)
                       for u in (begin, begin + width) for v in (-_ASCENT * font, _DESCENT * font)]
            found.append(Text(text, font, [corners[0], corners[1], corners[3], corners[2]]))
    return size, found


def _axes(corners):
    for i in (0, 1):
        (x0, y0), (x1, y1) = corners[i], corners[i + 1]
        length = math.hypot(x1 - x0, y1 - y0) or 1
        yield (x1 - x0) / length, (y1 - y0) / length


def overlap(a, b):
    """How far two rotated boxes reach into each other, in pixels; 0: not at all."""
    depth = math.inf
    for u, v in [*_axes(a.corners), *_axes(b.corners)]:
        one = [x * u + y * v for x, y in a.corners]
        other = [x * u + y * v for x, y in b.corners]
        depth = min(depth, min(max(one), max(other)) - max(min(one), min(other)))
    return max(0.0, depth)


def faults_of(svg, min_font, slack=1.5):
    """Texts that overlap, leave the canvas or are too small, in words."""
    (width, height), texts = texts_of(svg)
    faults = []
    for i, one in enumerate(texts):
        left, top, right, bottom = one.box
        if left < -slack or top < -slack or right > width + slack or bottom > height + slack:
            faults.append(f"'{one.text}' leaves the canvas: {left:.0f}..{right:.0f} of {width:.0f}, "
                          f"{top:.0f}..{bottom:.0f} of {height:.0f}")
        if one.size < min_font:
            faults.append(f"'{one.text}' has {one.size:g} px")
        for other in texts[i + 1:]:
            depth = overlap(one, other)
            if depth > slack:
                faults.append(f"'{one.text}' overlaps '{other.text}' by {depth:.1f} px")
    return faults
