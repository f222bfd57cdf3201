// The graph of the page uses the width: a chain is drawn in columns, each as wide as its own nodes and frames.
//
// usage: columns.mjs FOLDER      of the page's modules
import { strict as assert } from "node:assert";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// A chain of 30 nodes in a frame; three nodes side by side are in the middle of its last rows.
function drawing() {
    const nodes = [];
    for (let row = 0; row < 30; row++) {
        const places = row < 27 ? [400] : [200, 400, 600];
        nodes.push(...places.map((x) => ({ x, y: 40 + 100 * row, w: 150, h: 44 })));
    }
    const edges = nodes.slice(1).map((_, to) => ({ from: to, to: to + 1, kind: "order", leaves: -1 }));
    return { nodes, edges, frames: [{ key: 0, x: 100, y: 0, w: 750, h: 3020 }], width: 850, height: 3020 };
}

const folder = mkdtempSync(join(tmpdir(), "otter-columns-"));
try {
    cpSync(process.argv[2], folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type": "module"}'); // the page's modules end in .js
    const { inColumns } = await import(pathToFileURL(join(folder, "graph_model.js")).href);

    const before = drawing();
    const drawn = inColumns(before, 1100, 1000);
    assert.ok(drawn.width <= 1100 && drawn.height < before.height / 2, `${drawn.width} x ${drawn.height}`);
    assert.equal(drawn.frames.length, 3, "three columns");
    assert.equal(drawn.nodes.length, before.nodes.length);
    for (const { x, y, w, h } of drawn.nodes) {
        const around = drawn.frames.filter((part) => x > part.x && x + w < part.x + part.w && y >= part.y && y + h <= part.y + part.h);
        assert.equal(around.length, 1, "each node is in one part of the frame");
    }
    const widths = drawn.frames.map(({ w }) => w);
    assert.ok(widths[0] === widths[1] && widths[1] < widths[2], `${widths}`);
    assert.deepEqual(inColumns(drawing(), 700, 1000), before, "too narrow");
} finally {
    rmSync(folder, { recursive: true });
}
