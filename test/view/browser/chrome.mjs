// A headless browser, and one page in it that must be silent: no request, no message.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export const PATIENCE = 240000; // milliseconds, for steps of a second on a busy machine

const KINDS = {
    chrome: {
        names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
        // the last four save processes
        args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb", "--no-zygote", "--in-process-gpu",
            "--process-per-site", "--disable-site-isolation-trials"],
    },
    firefox: { names: ["firefox-esr", "firefox"], args: [] },
};

/** The path of the first of these programs, or "". */
function pathOf(names) {
    const folders = (process.env.PATH ?? "").split(":");
    return names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(existsSync) ?? "";
}

/** A browser that `puppeteer-core` in `modules` controls: by Chromium's protocol, or Firefox by WebDriver BiDi. */
export async function launch(modules, kind = "chrome") {
    const path = createRequire(`${modules}/package.json`).resolve("puppeteer-core");
    const { default: puppeteer } = await import(pathToFileURL(path).href);
    const { names, args } = KINDS[kind];
    return puppeteer.launch({ browser: kind, executablePath: pathOf(names), headless: true, timeout: PATIENCE, protocolTimeout: PATIENCE, args });
}

/** Opens files as a person would, and notes anything that a page must not do. */
export async function openTab(browser) {
    const tab = await browser.newPage();
    const noise = [];
    tab.on("console", (message) => noise.push(`message: ${message.text()}`));
    tab.on("pageerror", (error) => noise.push(`error: ${error.stack ?? error.message}`));
    tab.on("dialog", (dialog) => {
        noise.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    tab.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith("file:") || !/\.html(#|$)/.test(url)) {
            if (!/^(data|blob|about):/.test(url)) {
                noise.push(`request: ${url}`);
            }
        }
    });
    tab.setDefaultTimeout(PATIENCE);
    await tab.setViewport({ width: 1280, height: 800 });

    async function settle() {
        await tab.evaluate(async () => {
            for (let quiet = 0, last = -1; quiet < 4;) {
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 8)));
                const frame = globalThis.otter?.timeline.frame();
                const present = frame?.scene.hits.length ?? -2;
                quiet = present === last && !frame?.scene.isWaiting ? quiet + 1 : 0;
                last = present;
                if (document.getElementById("panel-timeline")?.hidden) {
                    quiet++;
                }
            }
        });
    }
    return {
        tab,
        noise,
        settle,
        /** Loads a file with this fragment, and waits until its picture is drawn. */
        async open(file, fragment = "") {
            await tab.goto("about:blank");
            await tab.goto(pathToFileURL(file).href + (fragment ? `#${fragment}` : ""));
            await tab.waitForFunction(() => globalThis.otter || document.querySelector(".note:not([hidden])"));
            await settle();
        },
        /** Calls a function in the page. */
        run: (code, ...args) => tab.evaluate(code, ...args),
        async text(selector) {
            return tab.$eval(selector, (found) => found.textContent);
        },
        async press(code, key) {
            await tab.keyboard.press(key ?? code);
            await settle();
        },
        state: () => tab.evaluate(() => ({ ...globalThis.otter.app.store.get() })),
    };
}
