#!/usr/bin/env python3
"""Shows that the comparison of graphs finds differences, by changing each edge, node, label and scope once."""

import random
import unittest

import drawing
import formulas

DIAMOND = '''
start: task initial
a: task explicit @a
b: task explicit @b
b2: task explicit @b
end: sync taskwait depend @wait !implied
creation: start -> a b b2
dependence: a -> b b2 -> end
in a: b
in start: b2
[T > 1]
undeferred: a -> end
[]
order: start -> end
'''


def renamed(graph, seed):
    """Returns the same graph with different names, in a different order."""
    names = list(graph.nodes)
    shuffled = names[:]
    random.Random(seed).shuffle(shuffled)
    new_names = {name: f'n{i}' for i, name in enumerate(shuffled)}
    copy = drawing.Drawing()
    for name in shuffled:
        copy.nodes[new_names[name]] = graph.nodes[name]
    copy.edges = {(new_names[a], new_names[b], kind) for a, b, kind in graph.edges}
    copy.scopes = {new_names[a]: new_names[b] for a, b in graph.scopes.items()}
    copy.has_scopes = graph.has_scopes
    return copy


class Comparison(unittest.TestCase):
    def setUp(self):
        self.graphs = [drawing.parse(DIAMOND, T=2), formulas.wavefront(T=2, folded=False, n=4),
                       formulas.fib(T=2, folded=True, n=4)]

    def test_names_do_not_count(self):
        for graph in self.graphs:
            for seed in range(5):
                self.assertEqual(drawing.compare(graph, renamed(graph, seed)), [])

    def test_each_missing_edge_is_found(self):
        for graph in self.graphs:
            for edge in graph.edges:
                other = renamed(graph, 0)
                other.edges = {e for e in renamed(graph, 0).edges}
                copy = drawing.parse(drawing.write(graph))
                copy.edges.discard(edge)
                self.assertTrue(drawing.compare(graph, copy), edge)
                self.assertTrue(drawing.compare(copy, graph), edge)

    def test_each_kind_of_an_edge_counts(self):
        for graph in self.graphs:
            for a, b, kind in graph.edges:
                copy = drawing.parse(drawing.write(graph))
                copy.edges.discard((a, b, kind))
                copy.edges.add((a, b, 'undeferred' if kind != 'undeferred' else 'join'))
                self.assertTrue(drawing.compare(graph, copy), (a, b, kind))

    def test_an_edge_to_a_twin_in_another_place_is_found(self):
        graph = self.graphs[1]
        copy = drawing.parse(drawing.write(graph))
        copy.edges.discard(('c1,1', 'c1,2', 'dependence'))
        copy.edges.add(('c1,1', 'c3,3', 'dependence'))
        problems = drawing.compare(graph, copy)
        self.assertEqual(len(problems), 1)
        self.assertIn('another way', problems[0])

    def test_each_label_counts(self):
        for graph in self.graphs:
            for name, label in graph.nodes.items():
                for other in (label._replace(where='elsewhere'), label._replace(what='nothing'),
                              label._replace(flags=('cancelled',))):
                    copy = drawing.parse(drawing.write(graph))
                    copy.nodes[name] = other
                    self.assertTrue(drawing.compare(graph, copy), name)

    def test_scopes_count(self):
        graph = self.graphs[0]
        copy = drawing.parse(drawing.write(graph))
        copy.scopes['b2'] = 'a'
        self.assertTrue(drawing.compare(graph, copy))

    def test_a_condition_chooses(self):
        one = drawing.parse(DIAMOND, T=1)
        self.assertEqual(drawing.compare(one, self.graphs[0]),
                         ['edge task explicit @a -> sync taskwait depend @wait !implied undeferred: expected 0, got 1'])

    def test_nonsense_is_refused(self):
        for text in ('a: tusk explicit', 'order: a -> b', 'a: task x\na: task x', 'a: task x\nin b: a', 'hello'):
            with self.assertRaises(ValueError):
                drawing.parse(text)


if __name__ == '__main__':
    unittest.main()
