"""Reads a page of `otter view`: its index and its tables, using only the format in core/view/README.md.

decode.py FILE.html[:RANK] [TABLE]    prints the tables and their rows, or the rows of one table; RANK: of this rank of
a job
"""
import base64
import copy
import functools
import html.parser
import json
import pathlib
import sys
import zlib


class Elements(html.parser.HTMLParser):
    """The texts of the elements with an id, the title, and the attributes of all elements."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.texts, self.all, self.open = {}, [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.all.append((tag, attributes))
        if tag not in ("meta", "link", "br", "hr", "img", "input"):
            self.open.append((tag, attributes.get("id", tag if tag in ("title", "noscript", "style") else None)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, name in self.open:
            if name:
                self.texts[name] = self.texts.get(name, "") + data


def column(data, at, width, n, is_delta):
    values = [0] * n
    for byte in range(width):
        plane = data[at + byte * n:at + (byte + 1) * n]
        shift = 8 * byte
        values = [value | part << shift for value, part in zip(values, plane)]
    if is_delta:
        total = 0
        for i, value in enumerate(values):
            total += value >> 1 if value % 2 == 0 else -((value + 1) >> 1)
            values[i] = total
    return values


class Page:
    """The page of a process. The page of a job has its own index; rank() returns the page of a rank."""

    def __init__(self, path):
        self.bytes = pathlib.Path(path).read_bytes()
        elements = Elements()
        elements.feed(self.bytes.decode("utf-8"))
        self.elements = elements
        self.index = json.loads(elements.texts["otter-index"])
        self.texts = elements.texts
        self.first_chunk = 0

    def rank(self, number):
        """Returns the page of a rank, as a view of this one: its index and its chunks."""
        page = copy.copy(self)
        entry = next(entry for entry in self.index["ranks"] if entry["rank"] == number)
        page.index = json.loads(zlib.decompress(base64.b64decode(self.texts[f"otter-rank-{number}"], validate=True)))
        page.first_chunk = entry["first_chunk"]
        return page

    @functools.lru_cache(maxsize=None)
    def chunk(self, i):
        """Returns column -> values of chunk `i`."""
        entry = self.index["chunks"][i]
        layout = self.index["tables"][entry["table"]]
        data = zlib.decompress(base64.b64decode(self.texts[f"otter-chunk-{self.first_chunk + i}"], validate=True))
        n = int.from_bytes(data[:4], "little")
        assert n == entry["rows"], (i, n, entry)
        at, columns = 4 + len(layout), {}
        for width, (name, encoding) in zip(data[4:], layout):
            assert encoding in ("plain", "delta")
            columns[name] = column(data, at, width, n, encoding == "delta")
            at += width * n
        assert at == len(data), (at, len(data))
        return columns

    def chunks_of(self, table):
        return [i for i, entry in enumerate(self.index["chunks"]) if entry["table"] == table]

    @functools.lru_cache(maxsize=None)
    def table(self, name):
        """Returns the rows of a table, as dictionaries."""
        rows = []
        for i in self.chunks_of(name):
            columns = self.chunk(i)
            rows += [dict(zip(columns, values)) for values in zip(*columns.values())]
        return rows

    def segments(self, name):
        """Yields (segment without its place, rows) for each segment of a table."""
        at = {"slices": 2, "pyramid": 3}[name]
        for i in self.chunks_of(name):
            columns = self.chunk(i)
            rows = [dict(zip(columns, values)) for values in zip(*columns.values())]
            covered = 0
            for segment in self.index["chunks"][i]["segments"]:
                first, n = segment[at:at + 2]
                assert first == covered and n > 0, segment
                covered = first + n
                yield segment[:at] + segment[at + 2:], rows[first:first + n]
            assert covered == len(rows)

    def slices(self, lane, row):
        return [slice for segment, rows in self.segments("slices") if segment[:2] == [lane, row] for slice in rows]


def main(path, table=None):
    path, _, rank = path.partition(":")
    page = Page(path).rank(int(rank)) if rank else Page(path)
    if table:
        for row in page.table(table):
            print(" ".join(f"{name}={value}" for name, value in row.items()))
        return
    print(f"{len(page.bytes)} bytes, index {len(page.texts['otter-index'])}, "
          f"{sum(len(page.texts[f'otter-chunk-{page.first_chunk + i}']) for i in range(len(page.index['chunks'])))} in chunks")
    for name in page.index["tables"]:
        size = sum(len(page.texts[f"otter-chunk-{page.first_chunk + i}"]) for i in page.chunks_of(name))
        rows = sum(page.index["chunks"][i]["rows"] for i in page.chunks_of(name))
        print(f"{name}: {rows} rows, {size} bytes, {size / max(rows, 1):.2f} a row")


if __name__ == "__main__":
    main(*sys.argv[1:])
