// Runs the tests of pages in a browser; test_browser.py makes the pages.
//
// usage: run.mjs chrome|firefox MODULES FOLDER [TEST...]      prints "ok NAME" or "not ok NAME" and the reason for each test
//
// With EVERY=1 in the environment, tests of many pages, tabs and widths try all combinations, and not only some.
import { launch, openTab } from "./chrome.mjs";
import * as job from "./job.mjs";
import * as pictures from "./pictures.mjs";
import * as reading from "./reading.mjs";
import * as state from "./state.mjs";
import * as texts from "./texts.mjs";

const [kind, modules, folder, ...wanted] = process.argv.slice(2);
const tests = Object.entries({ ...pictures, ...reading, ...state, ...texts, ...job })
    .filter(([name]) => wanted.length === 0 || wanted.includes(name));
const isEvery = process.env.EVERY === "1";
const browser = await launch(modules, kind);
try {
    for (const [name, test] of tests) {
        const context = await browser.createBrowserContext(); // with its own storage
        const tab = await openTab(context);
        try {
            await test(tab, folder, isEvery);
            if (tab.noise.length > 0) {
                throw new Error(tab.noise.join("\n"));
            }
            console.log(`ok ${name}`);
        } catch (error) {
            console.log(`not ok ${name}\n${`${error.stack ?? error}`.replace(/^/gm, "    ")}`);
        }
        await context.close();
    }
} finally {
    await browser.close();
}
