"""Models with discrete blocks as files: exact, independent of threads, refused if damaged."""

import copy
import json
import unittest

from discrete_support import DiscreteTest, categories, counts, flags


class Files(DiscreteTest):
    cases = (("categorical", categories(60)), ("joint", categories(60)), ("bernoulli", flags(61)),
             ("multinomial", counts(62)), ("complement", counts(62)))

    def test_json_and_cbor_answer_the_same_bytes(self):
        for name, sample in self.cases:
            with self.subTest(model=name):
                data = self.write("d.csv", sample)
                text = self.fit(data, "--model", name, name="m.json")
                binary = self.fit(data, "--model", name, name="m.cbor")
                self.assertNotEqual(binary.read_bytes()[:1], b"{")
                for verb, *rest in (("predict", data, "--proba"), ("evaluate", data, "--json"),
                                    ("inspect", "--json")):
                    self.assertEqual(self.ok(verb, text, *rest).out,
                                     self.ok(verb, binary, *rest).out)

    def test_files_do_not_depend_on_threads_or_pipes(self):
        for name, sample in (("categorical", categories(63, n=20_000)),
                             ("joint", categories(63, n=20_000)),
                             ("multinomial", counts(64, n=20_000))):
            with self.subTest(model=name):
                data = self.write("d.csv", sample)
                one = self.fit(data, "--model", name, "--threads", 1, name="1.json")
                many = self.fit(data, "--model", name, "--threads", 8, name="8.json")
                piped = self.fit("-", "--model", name, name="p.json", stdin=sample.text())
                self.assertEqual(one.read_bytes(), many.read_bytes())
                self.assertEqual(one.read_bytes(), piped.read_bytes())
                answers = {self.ok("predict", one, data, "--proba", "--threads", t).out
                           for t in (1, 8)}
                answers.add(self.ok("predict", one, "-", "--proba", stdin=sample.text()).out)
                self.assertEqual(len(answers), 1)

    def refuse_model(self, content, sample, name="broken.json"):
        model = self.write(name, content)
        data = self.write("rows.csv", sample)
        self.refused("predict", model, data, status=1, mentions=(name,))

    def test_truncated_files(self):
        for model_name, sample in self.cases:
            for name in ("m.json", "m.cbor"):
                whole = self.fit(sample, "--model", model_name, name=name).read_bytes()
                for part in (0.1, 0.5, 0.95):
                    with self.subTest(model=model_name, name=name, part=part):
                        self.refuse_model(whole[:int(part * len(whole))], sample, f"part_{name}")

    def places(self, node, path=()):
        """(path, value) of everything in a document."""
        yield path, node
        pairs = (node.items() if isinstance(node, dict)
                 else enumerate(node) if isinstance(node, list) else ())
        for key, child in pairs:
            yield from self.places(child, (*path, key))

    def changed(self, document, path, value):
        document = copy.deepcopy(document)
        node = document
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value
        return json.dumps(document)

    def test_damaged_probabilities(self):
        for name, sample in self.cases:
            document = json.loads(self.fit(sample, "--model", name).read_text())
            found = [p for p, v in self.places(document["blocks"], ("blocks",))
                     if isinstance(v, float) and 0 < v < 1 and isinstance(p[-1], int)]
            self.assertTrue(found, f"{name}: the file holds no probabilities")
            for path in (found[0], found[-1]):
                for value in (-0.5, 7.5, None, "x", [0.5]):
                    with self.subTest(model=name, path=path, value=value):
                        self.refuse_model(self.changed(document, path, value), sample)

    def test_damaged_lists(self):
        for name, sample in self.cases:
            document = json.loads(self.fit(sample, "--model", name).read_text())
            for path, value in self.places(document["blocks"], ("blocks",)):
                if isinstance(value, list) and len(value) > 1 and len(path) > 2:
                    with self.subTest(model=name, path=path):
                        self.refuse_model(self.changed(document, path, value[:-1]), sample)
                        if all(isinstance(v, str) for v in value):
                            twice = [value[0], value[0], *value[2:]]
                            self.refuse_model(self.changed(document, path, twice), sample)

    def test_missing_keys(self):
        for name, sample in self.cases:
            document = json.loads(self.fit(sample, "--model", name).read_text())
            for key in document["blocks"][0]:
                with self.subTest(model=name, key=key):
                    broken = copy.deepcopy(document)
                    del broken["blocks"][0][key]
                    model = self.write("b.json", json.dumps(broken))
                    self.works_or_refuses("predict", model, self.write("r.csv", sample),
                                          mentions=("b.json",))


if __name__ == "__main__":
    unittest.main()
