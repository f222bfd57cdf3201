// Prints the fragment of a page's address that shows a long task with predecessors and a successor.
//
// usage: longest_task.mjs MODULES PAGE
import { launch, openTab } from "./chrome.mjs";

const [modules, page] = process.argv.slice(2);
const browser = await launch(modules);
const tab = await openTab(browser);
await tab.open(page);
console.log(await tab.run(async () => {
    const { tasks, end } = globalThis.otter.app;
    await tasks.load();
    const all = Array.from({ length: tasks.rows() }, (_, row) => tasks.taskAt(row));
    const { task, begin, end: last } = all.filter((one) => one.id && tasks.into(one.task).length && tasks.outOf(one.task).length && one.end - one.begin < end / 6)
        .sort((a, b) => b.work - a.work)[0];
    const margin = (last - begin) * 0.6;
    return `report=0&from=${Math.max(Math.round(begin - margin), 0)}&to=${Math.min(Math.round(last + margin), end)}&select=task:${task}`;
}));
await browser.close();
