// Pictures of pages for the README.
//
// usage: screenshot.mjs MODULES PAGE FRAGMENT light|dark OUTPUT.png [WIDTH HEIGHT]
import { launch, openTab } from "./chrome.mjs";

const [modules, page, fragment, scheme, output, width = "1180", height = "660"] = process.argv.slice(2);
const browser = await launch(modules);
const tab = await openTab(browser);
await tab.tab.setViewport({ width: Number(width), height: Number(height) });
await tab.tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
await tab.open(page, fragment);
await tab.run(() => globalThis.otter.app.tasks.load());
await tab.settle();
await tab.tab.screenshot({ path: output });
await browser.close();
