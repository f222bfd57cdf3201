"""A drawn graph: nodes with names and labels, edges with kinds. Compares two drawings up to the names of nodes.

A drawing is written as text, one fact per line:

    a: task explicit @a                 a node: kind, what it is, the name of its source line, !flags
    order: fork -> a b -> end           edges of one kind, each of one group to each of the next; of two kinds that two nodes
                                        have between them the first of EDGE_KINDS is drawn
    in fork: a b                        nodes in a scope
    [T > 1 and not folded]              a condition for the lines up to the next [...]; [] ends it
    # ...                               a remark
"""

import collections
import re

LARGE = 500  # nodes: larger graphs are compared by their neighbourhoods (colour refinement)
EDGE_KINDS = ('creation', 'order', 'nesting', 'join', 'dependence', 'undeferred', 'doacross', 'fulfil')
NODE_KINDS = ('task', 'begin', 'end', 'sync', 'fragment')


class Label(collections.namedtuple('Label', 'kind what where flags')):
    """The label of a node. `where`: the name of its source line, or ''; flags: sorted words."""

    def __str__(self):
        return ' '.join([self.kind, self.what, *(['@' + self.where] if self.where else []),
                         *('!' + flag for flag in self.flags)])


def label(kind, what, where='', flags=()):
    return Label(kind, what, where, tuple(sorted(flags)))


class Drawing:
    def __init__(self):
        self.nodes = {}   # name -> Label
        self.edges = set()  # (name, name, kind)
        self.scopes = {}  # name -> name of the scope's begin
        self.has_scopes = False

    def node(self, name, kind, what, where='', flags=()):
        if name in self.nodes:
            raise ValueError(f'two nodes are called {name}')
        self.nodes[name] = label(kind, what, where, flags)
        return name

    def edge(self, kind, before, after):
        for name in (before, after):
            if name not in self.nodes:
                raise ValueError(f'no node is called {name}')
        if kind not in EDGE_KINDS:
            raise ValueError(f'"{kind}" is not a kind of edge')
        between = {kind} | {known for a, b, known in self.edges if (a, b) == (before, after)}
        self.edges -= {(before, after, known) for known in between}
        self.edges.add((before, after, min(between, key=EDGE_KINDS.index)))

    def chain(self, kind, *names):
        for before, after in zip(names, names[1:]):
            self.edge(kind, before, after)

    def lies_in(self, scope, *names):
        self.has_scopes = True
        for name in (scope, *names):
            if name not in self.nodes:
                raise ValueError(f'no node is called {name}')
        for name in names:
            if name in self.scopes:
                raise ValueError(f'{name} lies in two scopes')
            self.scopes[name] = scope

    def without_scopes(self):
        drawing = Drawing()
        drawing.nodes, drawing.edges = self.nodes, self.edges
        return drawing


# ---- reading

_CONDITION = re.compile(r'\[(.*)\]$')
_NODE = re.compile(r'([\w.,]+): (%s) ([^@!]+?)(?: @([\w]+))?((?: !\w+)*)$' % '|'.join(NODE_KINDS))
_EDGES = re.compile(r'(%s): (.*->.*)$' % '|'.join(EDGE_KINDS))
_SCOPE = re.compile(r'in ([\w.,]+): (.*)$')
DIRECTIVE = re.compile(r'(program|args|env|runs|formula|larger): (.*)$')


def _read_edges(drawing, kind, text):
    groups = [group.split() for group in text.split('->')]
    for before, after in zip(groups, groups[1:]):
        for a in before:
            for b in after:
                drawing.edge(kind, a, b)


def _read_line(drawing, line):
    node, edges, scope = _NODE.match(line), _EDGES.match(line), _SCOPE.match(line)
    if edges:
        _read_edges(drawing, *edges.groups())
    elif scope:
        drawing.lies_in(scope.group(1), *scope.group(2).split())
    elif node:
        name, kind, what, where, flags = node.groups()
        drawing.node(name, kind, what, where or '', flags.replace('!', '').split())
    else:
        raise ValueError('this is not a node, edge, scope or condition')


def parse(text, **facts):
    """The drawing of `text`, with its conditions evaluated for `facts`."""
    drawing = Drawing()
    holds = True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition('#')[0].strip()
        condition = _CONDITION.match(line)
        try:
            if condition:
                holds = not condition.group(1) or eval(condition.group(1), {'__builtins__': {}}, facts)
            elif line and holds and not DIRECTIVE.match(line):
                _read_line(drawing, line)
        except ValueError as error:
            raise ValueError(f'line {number}: {error}: {line}') from error
    return drawing


def write(drawing):
    """The text of a drawing, as parse() reads it."""
    lines = [f'{name}: {text}' for name, text in drawing.nodes.items()]
    for kind in EDGE_KINDS:
        targets = collections.defaultdict(list)
        for before, after, _ in sorted(edge for edge in drawing.edges if edge[2] == kind):
            targets[before].append(after)
        lines += [f'{kind}: {before} -> {" ".join(after)}' for before, after in targets.items()]
    members = collections.defaultdict(list)
    for name, scope in drawing.scopes.items():
        members[scope].append(name)
    lines += [f'in {scope}: {" ".join(names)}' for scope, names in members.items()]
    return '\n'.join(lines) + '\n'


# ---- comparing

def _kinds(drawing, with_scopes):
    """{(node, node): the kinds of edges from one to the other}"""
    kinds = collections.defaultdict(set)
    for before, after, kind in drawing.edges:
        kinds[before, after].add(kind)
    if with_scopes:
        for name, scope in drawing.scopes.items():
            kinds[name, scope].add('in')
    return {pair: frozenset(between) for pair, between in kinds.items()}


def _colours(drawing, kinds):
    """Refines the labels of nodes by the labels of their neighbours, until nothing changes."""
    colours = {node: hash(('label', label)) for node, label in drawing.nodes.items()}
    n = 0
    while len(set(colours.values())) > n:
        n = len(set(colours.values()))
        before, after = collections.defaultdict(list), collections.defaultdict(list)
        for (a, b), between in kinds.items():
            before[b].append((hash(between), colours[a]))
            after[a].append((hash(between), colours[b]))
        colours = {node: hash((colour, tuple(sorted(before[node])), tuple(sorted(after[node])))) for node, colour in colours.items()}
    return colours


def _are_isomorphic(kinds, colours):
    """Compares by networkx, whose import takes longer than most comparisons."""
    import networkx
    from networkx.algorithms.isomorphism import DiGraphMatcher, categorical_edge_match, categorical_node_match

    graphs = [networkx.DiGraph(), networkx.DiGraph()]
    for graph, edges, nodes in zip(graphs, kinds, colours):
        graph.add_nodes_from((node, {'colour': colour}) for node, colour in nodes.items())
        graph.add_edges_from((before, after, {'kinds': between}) for (before, after), between in edges.items())
    return DiGraphMatcher(*graphs, node_match=categorical_node_match('colour', None),
                          edge_match=categorical_edge_match('kinds', None)).is_isomorphic()


def _differences(what, expected, got):
    """Returns a line for each element that occurs more often in one of two multisets."""
    counts = collections.Counter(expected), collections.Counter(got)
    return [f'{what} {element}: expected {counts[0][element]}, got {counts[1][element]}'
            for element in sorted(set(counts[0]) | set(counts[1])) if counts[0][element] != counts[1][element]]


def _labelled(drawing, pairs):
    return [f'{drawing.nodes[a]} -> {drawing.nodes[b]}{kind}' for a, b, kind in pairs]


def compare(expected, got):
    """The differences, a line each; none: a renaming of nodes makes the drawings equal."""
    problems = _differences('node', map(str, expected.nodes.values()), map(str, got.nodes.values()))
    problems += _differences('edge', *(_labelled(d, [(a, b, ' ' + kind) for a, b, kind in d.edges]) for d in (expected, got)))
    if expected.has_scopes:
        problems += _differences('in scope:', *(_labelled(d, [(a, b, '') for a, b in d.scopes.items()])
                                                for d in (expected, got)))
    if problems:
        return problems
    kinds = [_kinds(drawing, expected.has_scopes) for drawing in (expected, got)]
    colours = [_colours(drawing, edges) for drawing, edges in zip((expected, got), kinds)]
    is_equal = sorted(colours[0].values()) == sorted(colours[1].values())
    is_clear = len(set(colours[0].values())) == len(colours[0]) or len(colours[0]) > LARGE  # one node of each colour
    if not is_equal or not (is_clear or _are_isomorphic(kinds, colours)):
        return ['nodes and edges are as many of each sort as expected, but they are put together in another way']
    return []
