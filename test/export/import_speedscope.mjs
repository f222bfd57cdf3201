// Imports files into speedscope's page in a browser, and prints what the page shows.
//
// usage: node import_speedscope.mjs BROWSER_MODULES SPEEDSCOPE_MODULES FILE...
//
// The modules are the folders that `scripts/modules browser` and `scripts/modules speedscope` print. Prints a line of JSON
// for each file:
//   name         of the first profile
//   profiles     [name, weight] of each profile, as the list of profiles shows them; [] for a file of one profile
//   frames       for each profile the rows of the sandwich view: [symbol name, total, self]
//   complaints   messages on the console, dialogs and errors that a good file does not cause
import { pathToFileURL } from "node:url";
import path from "node:path";
import { launch, PATIENCE } from "../view/browser/chrome.mjs";

const [modules, speedscope, ...files] = process.argv.slice(2);
const PAGE = pathToFileURL(path.join(speedscope, "node_modules/speedscope/dist/release/index.html")).href;
const EXPECTED = /^speedscope v|^WebGL initialized|^\[.*\b(WebGL|GL Driver)\b|^Importing (as|from) |^import: /;

/** A page that shows the sandwich view of the file. */
async function open(browser, file, complaints) {
    const tab = await browser.newPage();
    tab.on("console", (message) => EXPECTED.test(message.text()) || complaints.push(message.text()));
    tab.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    tab.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    tab.setDefaultTimeout(PATIENCE);
    await tab.setViewport({ width: 1280, height: 4000 }); // every row is in sight, so the page draws it
    await tab.goto(`${PAGE}#view=sandwich`);
    await (await tab.waitForSelector("input[type=file]")).uploadFile(file);
    const isOpen = () => tab.evaluate(() => document.body.innerText.includes("Symbol Name"));
    while (complaints.length === 0 && !await isOpen()) {
        await new Promise((done) => setTimeout(done, 50));
    }
    return tab;
}

/** Runs in the page: the rows of its tables whose cells match. */
function rows(column, pattern) {
    return [...document.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent))
        .filter((cells) => cells.length === 3 && new RegExp(pattern).test(cells[column]));
}

async function read(browser, file) {
    const complaints = [], frames = [];
    const tab = await open(browser, file, complaints);
    const profiles = (await tab.evaluate(rows, 0, "^\\d+$")).map(([, name, weight]) => [name, weight]);
    for (let i = 0; i < Math.max(profiles.length, 1); i++) {
        if (i > 0) {
            await tab.keyboard.press("n");
            await tab.waitForFunction((at) => document.body.innerText.includes(at), {}, `(${i + 1}/${profiles.length})`);
        }
        frames.push((await tab.evaluate(rows, 0, "%\\)$")).map(([total, self, name]) => [name, total, self]));
    }
    await tab.close();
    return { profiles, frames, complaints };
}

const browser = await launch(modules);
for (const file of files) {
    process.stdout.write(`${JSON.stringify(await read(browser, file))}\n`);
}
await browser.close();
