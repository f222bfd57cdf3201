// Texts of the program are treated as data, and the page says what is missing.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";

export async function hostile_texts_are_only_texts(tab, folder) {
    for (const fragment of ["", "tab=graph", "tab=creation", "tab=lengths", "tab=tables", "select=label:0", "select=label:1", "select=task:2"]) {
        await tab.open(`${folder}/hostile.html`, fragment);
        const found = await tab.run(() => ({
            elements: document.querySelectorAll("#app img, #app script, #app iframe, #app object").length,
            text: document.getElementById("app").innerText,
            title: document.getElementById("title").textContent,
            listeners: [...document.querySelectorAll("#app *")].filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).length,
        }));
        assert.deepEqual([found.elements, found.listeners], [0, 0]);
        assert.ok(found.title.includes("<script>alert(1)</script>"), found.title);
        assert.doesNotMatch(found.text, /[\u0000-\u0008\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
    }
}

export async function a_page_without_scripts_shows_the_report(tab, folder) {
    await tab.tab.setJavaScriptEnabled(false);
    await tab.tab.goto(`file://${folder}/tasks.html`);
    const session = await tab.tab.createCDPSession();
    const { root } = await session.send("DOM.getDocument", { depth: -1 });
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "noscript pre" });
    const { outerHTML } = await session.send("DOM.getOuterHTML", { nodeId });
    assert.match(outerHTML, /thread time/);
    const box = await session.send("DOM.getBoxModel", { nodeId });
    assert.ok(box.model.height > 100, "the text is visible");
    const app = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#app" });
    await assert.rejects(session.send("DOM.getBoxModel", { nodeId: app.nodeId }), "the rest is hidden");
}

export async function the_page_says_what_it_lacks(tab, folder) {
    await tab.open(`${folder}/recovered.html`);
    assert.match(await tab.text("#report"), /cut off/);
    await tab.open(`${folder}/small.html`);
    const said = await tab.run(() => [document.getElementById("report").textContent, globalThis.otter.app.index.left_out.text]);
    assert.ok(said[1].length > 20 && said[0].includes(said[1]), JSON.stringify(said));
}

export async function a_summed_up_page_draws_the_same_totals(tab, folder) {
    await tab.open(`${folder}/small.html`);
    const lanes = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        const { hits } = timeline.frame().scene;
        return app.index.lanes.map((lane, i) => {
            const drawn = hits.filter((hit) => hit.lane === i && hit.row === 0).reduce((sum, hit) => sum
                + (hit.sums ? hit.sums[1] : hit.state === 1 ? hit.to - hit.from : 0), 0);
            return [drawn, lane.totals[1], app.end];
        });
    });
    lanes.forEach(([drawn, wanted, end]) => assert.ok(Math.abs(drawn - wanted) <= end * 0.01, `${drawn} of ${wanted} ticks are drawn`));
    assert.ok(await tab.run(() => globalThis.otter.timeline.frame().scene.hits.length) < 12000, "few rectangles");
}

export async function the_print_has_the_report(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    await tab.tab.emulateMediaType("print");
    const shown = await tab.run(() => [document.getElementById("report").offsetHeight > 200, document.querySelector(".search").offsetHeight]);
    assert.deepEqual(shown, [true, 0]);
}

/** This does not test numbers: it makes pictures for people, and stores them with the pages. */
export async function screenshots(tab, folder, isEvery) {
    mkdirSync(`${folder}/screens`, { recursive: true });
    for (const scheme of isEvery ? ["light", "dark"] : ["dark"]) {
        await tab.tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        for (const [width, height] of isEvery ? [[1280, 800], [480, 900]] : [[480, 900]]) {
            await tab.tab.setViewport({ width, height });
            for (const [name, fragment] of [["tasks", ""], ["tasks", "tab=graph"], ["tasks", "tab=parallelism"], ["kokkos", ""], ["threads", ""], ["hostile", "tab=tables"]]) {
                await tab.open(`${folder}/${name}.html`, fragment);
                await tab.tab.screenshot({ path: `${folder}/screens/${name}-${fragment.replace("tab=", "") || "timeline"}-${width}-${scheme}.png` });
            }
        }
    }
}
