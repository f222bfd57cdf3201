// Tests keys, mouse, address, themes and sizes.
import assert from "node:assert/strict";

const ALL_TABS = ["timeline", "parallelism", "graph", "creation", "lengths", "tables"];

async function canvasBox(tab) {
    return tab.run(() => {
        const { x, y, width, height } = globalThis.otter.timeline.canvas.getBoundingClientRect();
        return { x, y, width, height, left: globalThis.otter.timeline.frame().left };
    });
}

export async function keys_zoom_and_pan(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const before = await tab.state();
    const box = await canvasBox(tab);
    await tab.tab.mouse.move(box.x + box.left + (box.width - box.left) * 0.25, box.y + 150);
    const session = await tab.tab.createCDPSession();
    // a key of another keyboard layout: only its position counts
    const hold = async (code, key, isDone) => {
        const was = await tab.state(); // the view moves from the next line on
        await session.send("Input.dispatchKeyEvent", { type: "keyDown", code, key, text: key });
        await tab.tab.waitForFunction(isDone, {}, was);
        await session.send("Input.dispatchKeyEvent", { type: "keyUp", code, key });
        await tab.settle();
    };
    await hold("KeyW", "z", (was) => {
        const { from, to } = globalThis.otter.app.store.get();
        return to - from < (was.to - was.from) * 0.9;
    });
    const near = await tab.state();
    const anchor = (s) => s.from + (s.to - s.from) * 0.25;
    assert.ok(Math.abs(anchor(near) - anchor(before)) < (before.to - before.from) * 0.01, "at the mouse");
    await hold("KeyD", "d", (was) => globalThis.otter.app.store.get().from > was.from);
    const right = await tab.state();
    assert.ok(Math.abs((right.to - right.from) - (near.to - near.from)) < 1, "d pans");
    await hold("KeyA", "q", (was) => globalThis.otter.app.store.get().from < was.from);
    await hold("KeyS", "s", (was) => {
        const { from, to } = globalThis.otter.app.store.get();
        return to - from > (was.to - was.from) * 1.05;
    });
    await tab.press("0");
    const all = await tab.state();
    assert.deepEqual([all.from, all.to], [before.from, before.to]);
}

export async function the_wheel_zooms_at_the_mouse_and_scrolls(tab, folder) {
    await tab.open(`${folder}/threads.html`);
    const box = await canvasBox(tab);
    const x = box.left + (box.width - box.left) * 0.6;
    await tab.tab.mouse.move(box.x + x, box.y + 300);
    const tick = async () => {
        const { from, to } = await tab.state();
        return from + (to - from) * 0.6;
    };
    const was = await tick();
    const session = await tab.tab.createCDPSession();
    const wheel = (deltaX, deltaY, modifiers) => session.send("Input.dispatchMouseEvent",
        { type: "mouseWheel", x: box.x + x, y: box.y + 300, deltaX, deltaY, modifiers });
    const before = await tab.state();
    await wheel(0, -120, 2); // Ctrl
    await tab.settle();
    const near = await tab.state();
    assert.ok(near.to - near.from < (before.to - before.from) * 0.95);
    assert.ok(Math.abs(await tick() - was) < (near.to - near.from) * 0.01);
    await wheel(0, 200, 8); // Shift
    await tab.settle();
    assert.ok((await tab.state()).from > near.from, "shift and wheel pan");
    await wheel(0, 500, 0);
    await tab.settle();
    assert.ok(await tab.run(() => globalThis.otter.timeline.view.scroll) > 300, "the wheel scrolls the lanes");
    const lanes = await tab.run(() => [...new Set(globalThis.otter.timeline.frame().scene.hits.map((hit) => hit.lane))]);
    assert.ok(Math.min(...lanes) > 0 && lanes.length < 200, "only visible lanes are drawn");
}

export async function a_double_click_and_f_fit(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const box = await canvasBox(tab);
    const longest = await tab.run(async () => {
        const { app } = globalThis.otter;
        await app.tasks.load();
        const task = Array.from({ length: app.tasks.rows() }, (_, row) => app.tasks.taskAt(row))
            .filter((one) => one.id && one.end - one.begin === one.work).sort((a, b) => b.work - a.work)[0];
        app.store.set({ from: task.begin - task.work * 5, to: task.end + task.work * 5 });
        return task.task;
    });
    await tab.settle();
    const hit = await tab.run((task) => globalThis.otter.timeline.frame().scene.hits.find((one) => one.row === 0 && one.task === task),
        longest);
    const middle = [box.x + hit.x + hit.w / 2, box.y + hit.y + hit.h / 2];
    await tab.tab.mouse.click(...middle);
    await tab.settle(); // the first click opens the details, which move the picture
    await tab.tab.mouse.click(...middle, { clickCount: 2 });
    await tab.settle();
    const zoomed = await tab.state();
    assert.ok(zoomed.from <= hit.from && zoomed.to >= hit.to && (zoomed.to - zoomed.from) < (hit.to - hit.from) * 1.5);
    await tab.run(() => globalThis.otter.app.store.set({ from: 0, to: globalThis.otter.app.end }));
    await tab.settle();
    await tab.press("f");
    await tab.settle();
    const fitted = await tab.state();
    assert.deepEqual([fitted.from, fitted.to], [zoomed.from, zoomed.to], "f zooms to the selection");
    await tab.press("Escape");
    assert.equal((await tab.state()).select, "");
}

export async function the_page_works_with_the_keyboard_alone(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
        await tab.tab.keyboard.press("Tab");
        const [name, ring] = await tab.run(() => {
            const one = document.activeElement;
            const style = getComputedStyle(one);
            const after = getComputedStyle(one, "::after");
            return [one.id || one.className || one.tagName, style.outlineStyle !== "none" || after.outlineStyle !== "none"];
        });
        if (name !== "BODY") {
            seen.add(name);
            assert.ok(ring, `the focus on ${name} is visible`);
        }
    }
    for (const name of ["search-text", "theme", "help", "tab-timeline", "picture"]) {
        assert.ok(seen.has(name), `${name} gets the focus: ${[...seen]}`);
    }
    await tab.run(() => globalThis.otter.timeline.canvas.focus());
    const selected = new Set();
    for (let i = 0; i < 6; i++) {
        await tab.press("ArrowRight");
        await tab.tab.waitForFunction((n) => globalThis.otter.app.store.get().select + globalThis.otter.app.store.get().range !== n, {}, [...selected].pop() ?? "");
        const { select, range } = await tab.state();
        selected.add(select + range);
    }
    assert.equal(selected.size, 6, `${[...selected]}`);
    assert.notEqual(await tab.text("#live"), "", "a screen reader gets the selection");
    await tab.press("Enter");
    assert.match((await tab.state()).select, /^task:/, "Enter selects the task of the slice");
    await tab.press("ArrowDown");
    const folded = (await tab.state()).fold;
    await tab.press("Space");
    assert.notEqual((await tab.state()).fold, folded);
    for (const [i, name] of ALL_TABS.entries()) {
        await tab.press(`${i + 1}`);
        assert.equal((await tab.state()).tab, name);
    }
    await tab.press("?");
    assert.equal(await tab.run(() => document.querySelector("dialog").open), true);
    await tab.tab.keyboard.press("Escape");
    assert.equal(await tab.run(() => document.querySelector("dialog").open), false);
}

export async function the_address_shows_the_same_picture(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    await tab.run(() => {
        const { app } = globalThis.otter;
        app.store.set({ from: app.end * 0.3, to: app.end * 0.5, path: "span", fold: "1", select: "label:0", report: false });
    });
    await tab.settle();
    await tab.tab.waitForFunction(() => {
        const { from, to } = globalThis.otter.app.store.get();
        return ["path=span", `from=${Math.round(from)}`, `to=${Math.round(to)}`].every((part) => location.hash.slice(1).split("&").includes(part));
    });
    const drawn = () => tab.run(() => globalThis.otter.timeline.frame().scene.hits.map((hit) => [hit.x, hit.y, hit.w, hit.from]));
    const [fragment, state] = [await tab.run(() => location.hash.slice(1)), await tab.state()];
    await tab.open(`${folder}/tasks.html`, fragment);
    const again = await tab.state();
    assert.deepEqual({ ...again, from: Math.round(again.from), to: Math.round(again.to) },
        { ...state, from: Math.round(state.from), to: Math.round(state.to) });
    const first = await drawn();
    await tab.open(`${folder}/tasks.html`, fragment);
    assert.deepEqual(await drawn(), first);
    await tab.open(`${folder}/tasks.html`, "tab=nonsense&from=-5&to=abc&select=task:99999999&fold=x&%%%=&nest=1e9&flame=77777");
    assert.ok((await drawn()).length > 0, "a wrong address shows the default");
}

export async function search_finds_labels_lines_and_tasks(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const task = await tab.run(async () => {
        const { tasks, index } = globalThis.otter.app;
        await tasks.load();
        const found = Array.from({ length: tasks.rows() }, (_, row) => tasks.taskAt(row)).find((one) => one.id);
        return { ...found, where: index.labels[found.label].where, text: index.labels[found.label].text };
    });
    const look = async (text) => {
        await tab.tab.keyboard.press("/");
        await tab.run(() => {
            document.getElementById("search-text").value = "";
        });
        await tab.tab.keyboard.type(text);
        await tab.tab.waitForSelector("#search-results li");
        await tab.settle();
        const first = await tab.text("#search-results li");
        await tab.tab.keyboard.press("Enter");
        await tab.settle();
        return [first, (await tab.state()).select];
    };
    assert.deepEqual((await look(task.id))[1], `task:${task.task}`);
    const [shown, select] = await look(task.where);
    assert.ok(shown.includes(task.where), shown);
    assert.match(select, /^label:\d+$/);
    assert.ok((await look("PLAYER+"))[1].startsWith("label:"));
    await tab.tab.keyboard.press("/");
    await tab.tab.keyboard.type("zzz nothing");
    await tab.settle();
    assert.match(await tab.text("#search-results"), /Nothing found/);
    await tab.tab.keyboard.press("Escape");
}

/** The contrast of two colours, "rgb(1, 2, 3)". */
function contrast(a, b) {
    const light = (text) => {
        const [r, g, blue] = text.match(/[\d.]+/g).map((part) => {
            const value = Number(part) / 255;
            return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
    };
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
}

export async function light_and_dark_are_readable(tab, folder) {
    const colours = () => tab.run(() => {
        const of = (selector) => getComputedStyle(document.querySelector(selector));
        return { ground: of("body").backgroundColor, ink: of("body").color, soft: of(".soft").color,
            raised: of("#report").backgroundColor, link: of(".cost").color };
    });
    const grounds = [];
    for (const scheme of ["light", "dark"]) {
        await tab.tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await tab.open(`${folder}/tasks.html`);
        const { ground, ink, soft, raised, link } = await colours();
        grounds.push(ground);
        for (const [text, on] of [[ink, ground], [ink, raised], [soft, ground], [soft, raised], [link, ground]]) {
            assert.ok(contrast(text, on) >= 4.5, `${scheme}: ${text} on ${on}`);
        }
        const labels = await tab.run(() => globalThis.otter.app.colours);
        const rgb = (hex) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))})`;
        labels.forEach(({ fill, ink: text }) => assert.ok(contrast(rgb(fill), rgb(text)) >= 4.5, `${fill} ${text}`));
    }
    assert.notEqual(grounds[0], grounds[1]);
    const before = await tab.run(() => document.documentElement.dataset.theme);
    await tab.tab.click("#theme");
    if (await tab.run(() => document.documentElement.dataset.theme) === before) {
        await tab.tab.click("#theme");
    }
    assert.notEqual(await tab.run(() => document.documentElement.dataset.theme), before, "the switch changes the theme");
}

export async function no_width_cuts_the_page(tab, folder, isEvery) {
    for (const [width, height, deviceScaleFactor] of [[1280, 800, 1], [640, 400, 2], [360, 640, 3]]) {
        await tab.tab.setViewport({ width, height, deviceScaleFactor });
        for (const name of ALL_TABS.filter((_, i) => isEvery || width === 360 || i % 2 === deviceScaleFactor % 2)) {
            await tab.open(`${folder}/kokkos.html`, `tab=${name}`);
            const wide = await tab.run(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${name} is ${wide} pixels too wide at ${width}`);
            const canvas = await tab.run(() => [...document.querySelectorAll("section:not([hidden]) canvas")].map(
                (one) => one.width / one.clientWidth));
            canvas.forEach((scale) => assert.ok(Math.abs(scale - deviceScaleFactor) < 0.02, "a sharp canvas"));
        }
    }
}

export async function the_address_survives_each_tab_of_each_page(tab, folder, isEvery) {
    for (const [i, name] of ["nested", "paused", "recovered", "devices", "one", "threads", "alone"].entries()) {
        for (const picture of ALL_TABS.filter((_, j) => isEvery || (i + j) % 3 === 0)) {
            await tab.open(`${folder}/${name}.html`, `tab=${picture}`);
            assert.equal(await tab.run(() => document.querySelector('[aria-selected="true"]').id), `tab-${picture}`);
            assert.equal(await tab.run(() => document.querySelector(".note").hidden), true, name);
        }
    }
}
