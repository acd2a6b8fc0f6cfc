#!/usr/bin/python3
"""browser_test.py GENERA: makes the tour and looks at it in headless Chromium.

Every image must load, nothing may be wider than the window at 1280 and at 390 pixels, and the console must stay
silent. The page is shown in frames of both widths; a script that is added to a copy of it measures and tells the page
around it, whose text Chromium prints. Status 77: there is no Chromium.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (1280, 390)
SKIPPED = 77

MEASURE = """
<script>
const failures = [];
addEventListener("error", e => failures.push(String(e.message || e.target.src || e.type)), true);
addEventListener("load", () => {
  const scrolls = e => { for (let p = e; p; p = p.parentElement)
    if (/auto|scroll/.test(getComputedStyle(p).overflowX) && p !== document.documentElement) return true; return false; };
  const wide = [...document.querySelectorAll("body *")].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 0.5 && !scrolls(e)).map(e => e.tagName + " " + e.textContent.slice(0, 60));
  const images = [...document.images];
  parent.postMessage({width: innerWidth, scroll: document.documentElement.scrollWidth, wide, failures,
    images: images.length, broken: images.filter(i => !i.complete || !i.naturalWidth).map(i => i.src),
    covered: [...document.querySelectorAll("pre, p, td")].filter(e => e.scrollHeight > e.clientHeight + 2 &&
      getComputedStyle(e).overflowY === "hidden").length}, "*");
});
</script>
"""

FRAMES = """<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body>
<script>
const found = [];
addEventListener("message", e => { found.push(e.data); document.getElementById("found").textContent = JSON.stringify(found); });
</script><pre id="found">[]</pre>
%s
</body></html>
"""

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage",
         "--enable-logging=stderr", "--virtual-time-budget=20000", "--window-size=1400,1000"]


def measured(browser, tour, home):
    """What the page is like in windows of all widths, and what the console says."""
    page = (tour / "index.html").read_text(encoding="utf-8")
    (tour / "measured.html").write_text(page.replace("<style>", MEASURE + "<style>", 1), encoding="utf-8")
    frames = "".join(f'<iframe src="measured.html" width="{w}" height="900" style="border: 0"></iframe>'
                     for w in WIDTHS)
    (tour / "frames.html").write_text(FRAMES % frames, encoding="utf-8")
    done = subprocess.run([browser, *FLAGS, f"--user-data-dir={home}", "--dump-dom",
                           (tour / "frames.html").as_uri()],
                          capture_output=True, text=True, timeout=1800, check=False)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if done.returncode != 0 or not found:
        sys.exit(f"{browser} failed with {done.returncode}:\n{done.stderr[-3000:]}")
    console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    return json.loads(html.unescape(found[1])), console


def problems(answers, console):
    """What is wrong, a line each."""
    if sorted(a["width"] for a in answers) != sorted(WIDTHS):
        yield f"measured at {[a['width'] for a in answers]} instead of {list(WIDTHS)} pixels"
    for a in answers:
        at = f"at {a['width']} pixels: "
        if a["images"] < 30:
            yield f"{at}only {a['images']} images"
        if a["scroll"] > a["width"]:
            yield f"{at}the page is {a['scroll']} wide"
        for name in a["broken"]:
            yield f"{at}{name} did not load"
        for name in a["wide"]:
            yield f"{at}too wide: {name}"
        for name in a["failures"]:
            yield f"{at}error: {name}"
    yield from console


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("skipped: there is no chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="genera_browser_") as folder:
        tour = pathlib.Path(folder) / "tour"
        subprocess.run([sys.argv[1], "tour", "-o", tour, "--quiet"], check=True)
        answers, console = measured(browser, tour, pathlib.Path(folder) / "home")
        found = list(problems(answers, console))
        # The check itself must be able to fail.
        page = tour / "index.html"
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("<main>", '<main><img src="none.svg"><div style="width: 2000px">x</div>', 1),
                        encoding="utf-8")
        blind = {"did not load", "too wide"} - {word for line in problems(*measured(
            browser, tour, pathlib.Path(folder) / "home")) for word in ("did not load", "too wide")
            if word in line}
        if blind:
            found.append(f"the check does not see: {', '.join(sorted(blind))}")
    print("\n".join(found) or f"{answers[0]['images']} images, {' and '.join(map(str, WIDTHS))} pixels: nothing to fix")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
