// Measures how fast a page opens and moves. No test depends on it, since times vary from run to
// run.
//
// usage: measure.mjs MODULES FILE...      a line for each file: first picture, frames a second, processor time of the page's thread
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch } from "./chrome.mjs";

const STEPS = 240;

/** Runs in the page: zooms into the middle and out again, and pans, one step per frame. */
async function move(steps) {
    const { app } = globalThis.otter;
    const { end } = app;
    const frames = [];
    let last = performance.now();
    for (let i = 0; i < steps; i++) {
        const depth = 1 - Math.abs(1 - 2 * i / steps); // 0 to 1 to 0
        const width = end * 10 ** (-4 * depth);
        const middle = end * (0.5 + 0.2 * Math.sin(i / 9));
        const from = Math.max(Math.min(middle - width / 2, end - width), 0);
        app.store.set({ from, to: from + width });
        await new Promise((done) => requestAnimationFrame(done));
        const now = performance.now();
        frames.push(now - last);
        last = now;
    }
    frames.sort((a, b) => a - b);
    return { mean: frames.reduce((a, b) => a + b, 0) / steps, p95: frames[Math.floor(steps * 0.95)], slowest: frames[steps - 1] };
}

const [modules, ...files] = process.argv.slice(2);
const browser = await launch(modules);
for (const file of files) {
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1400, height: 900 });
    const session = await tab.createCDPSession();
    await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
    await session.send("Performance.enable");
    const busy = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
    await tab.goto(pathToFileURL(file).href, { waitUntil: "domcontentloaded", timeout: 120000 });
    await tab.waitForFunction(() => performance.getEntriesByName("otter-first-picture").length > 0, { timeout: 120000, polling: 20 });
    const first = await tab.evaluate(() => performance.getEntriesByName("otter-first-picture")[0].startTime);
    await tab.evaluate(() => globalThis.otter.app.tasks.load());
    const opened = await busy();
    await tab.evaluate(move, STEPS); // inflates the chunks
    const before = await busy();
    const { mean, p95, slowest } = await tab.evaluate(move, STEPS);
    const perFrame = (await busy() - before) / STEPS * 1000;
    const memory = await tab.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, first picture ${first.toFixed(0)} ms, opened with ${
        (opened * 1000).toFixed(0)} ms of processor time, ${(1000 / mean).toFixed(0)} frames/s (95 % within ${p95.toFixed(0)} ms, slowest ${
        slowest.toFixed(0)} ms; ${perFrame.toFixed(1)} ms of processor time each), heap ${(memory / 1e6).toFixed(0)} MB`);
    await tab.close();
}
await browser.close();
