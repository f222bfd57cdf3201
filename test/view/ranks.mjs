// The page of a job shows the markers of all ranks, sorted by time, and names their ranks. Calls of MPI that are too short for
// slices are drawn as well.
//
// usage: ranks.mjs FOLDER      of the page's modules
import { strict as assert } from "node:assert";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const folder = mkdtempSync(join(tmpdir(), "otter-ranks-"));
try {
    cpSync(process.argv[2], folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type": "module"}'); // the page's modules end in .js
    const { indexOfJob } = await import(pathToFileURL(join(folder, "ranks.js")).href);

    const marker = (time, text) => ({ time, group: "Otter", category: "lost events", severity: "high", text });
    const index = (markers) => ({ lanes: [], labels: [], tables: {}, chunks: [], pyramid: { coarsest: 1, finest: 1 },
        memory: { step: 1 }, pauses: [], losses: { events: 0, cut_off: false, damaged: false }, markers, findings: [],
        left_out: { is_complete: true }, tasks: 0 });
    const own = { 3: index([marker(5, "of the job"), marker(9, "late")]), 7: index([marker(2, ""), marker(5, "of the job")]) };
    const job = { title: "", clock: {}, left_out: 0, ranks: [3, 7].map((rank) => ({ rank, first_chunk: 0 })) };
    const { markers } = await indexOfJob(job, (rank) => zlib.deflateSync(JSON.stringify(own[rank])).toString("base64"));
    assert.deepEqual(markers.map(({ time, text }) => [time, text]), [[2, "rank 7: lost events"], [5, "of the job"], [9, "rank 3: late"]]);

    const { drawRow } = await import(pathToFileURL(join(folder, "timeline/timeline_rows.js")).href);
    const { STATE } = await import(pathToFileURL(join(folder, "data/index_types.js")).href);
    const drawn = [];
    const context = { fillRect: (...box) => drawn.push([context.fillStyle, ...box]) };
    const { STATE_COLUMNS } = await import(pathToFileURL(join(folder, "timeline/lanes.js")).href);
    const cell = { ...Object.fromEntries(STATE_COLUMNS.map((name) => [name, [0]])), mpi: [4], label: [0], longest: [4], count: [9] };
    drawRow({ surface: { context }, left: 0, width: 8, from: 0, end: 32, scale: 0.25, colours: [], states: Object.keys(STATE), same: [0], only: -1, hits: [],
        lanes: { estimate: () => Infinity, level: () => 1, cells: (lane, row, level, from, to, visit) => visit(cell, 0, 0, 4) } }, 0, 0, 10, 20);
    assert.deepEqual(drawn, [["mpi", 0, 10, 1, 20]]);
} finally {
    rmSync(folder, { recursive: true });
}
