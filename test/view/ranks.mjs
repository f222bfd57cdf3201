// The page of a job shows the markers of all ranks, sorted by time, and names their ranks.
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
} finally {
    rmSync(folder, { recursive: true });
}
