// What a reader of the page sees: names, legends, the cursor, tool tips, columns, evidence.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const report = (folder, name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));

async function moveTo(tab, x, y) {
    const box = await tab.run(() => {
        const { x: left, y: top } = globalThis.otter.timeline.canvas.getBoundingClientRect();
        return { left, top };
    });
    await tab.tab.mouse.move(box.left + x, box.top + y);
    await tab.tab.mouse.move(box.left + x + 0.5, box.top + y);
}

export async function a_name_that_is_cut_keeps_its_line(tab, folder) {
    await tab.open(`${folder}/recorded.html`);
    const shown = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        const { surface } = timeline.frame();
        const at = app.index.labels.findIndex((label) => label.where && label.kind === "task");
        const { where, what, line } = app.index.labels[at];
        return { where, what, line, texts: [1000, surface.widthOf(where) + 1, surface.widthOf(`:${line}`) + 1, 5].map((room) => surface.fitting(app.shorts[at], room)) };
    });
    assert.deepEqual(shown.texts, [`${shown.where} ${shown.what}`, shown.where, `:${shown.line}`, ""]);
}

export async function the_legend_shows_the_heaviest_labels(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const wanted = [...report(folder, "tasks").tables.labels].sort((a, b) => b.executed_s - a.executed_s)[0].label;
    const first = await tab.run(() => document.querySelector(".labels .jump").title);
    assert.ok(first.startsWith(wanted), `${first} for ${wanted}`);
    assert.ok(await tab.run(() => [...document.querySelectorAll(".labels .jump .swatch path")].length) >= 2, "with shapes");
    await tab.run(() => document.querySelector(".labels .jump").click());
    await tab.settle();
    assert.equal(await tab.run((text) => globalThis.otter.app.index.labels[Number(globalThis.otter.app.store.get().select.slice(6))].text === text, wanted), true);
}

export async function few_lanes_use_the_height(tab, folder) {
    await tab.tab.setViewport({ width: 1280, height: 900 });
    const heights = async (name) => {
        await tab.open(`${folder}/${name}.html`);
        return tab.run(() => globalThis.otter.timeline.frame().tracks.filter((track) => track.kind === "lane").map((track) => track.rows.at(-1).h));
    };
    const [one, many] = [await heights("one"), await heights("threads")];
    assert.equal(one[0], 120);
    assert.ok(Math.max(...many) < 20, `${many[0]}`);
}

export async function the_cursor_shows_the_time_at_the_mouse(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const { left, width, end } = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        return { left: timeline.frame().left, width: timeline.frame().width, end: app.end / app.index.clock.resolution };
    });
    await moveTo(tab, left + (width - left) / 4, 300);
    const text = await tab.text(".cursor");
    const shown = parseFloat(text) * { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 }[text.split(" ")[1]];
    assert.ok(Math.abs(shown - end / 4) < end / 500, `${text} for ${end / 4}`);
    await moveTo(tab, 10, 300);
    assert.equal(await tab.run(() => document.querySelector(".cursor").hidden), true, "not above the names");
}

export async function a_tool_tip_describes_the_task(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const longest = await tab.run(async () => {
        const { app } = globalThis.otter;
        await app.tasks.load();
        const task = Array.from({ length: app.tasks.rows() }, (_, row) => app.tasks.taskAt(row))
            .filter((one) => one.id).sort((a, b) => b.work - a.work)[0];
        app.store.set({ from: task.begin - task.work, to: task.end + task.work });
        return task;
    });
    await tab.settle();
    const place = await tab.run(({ task, id }) => {
        const hit = globalThis.otter.timeline.frame().scene.hits.find((one) => one.row === 0 && one.task === task && one.w > 4);
        return { id, x: hit.x + hit.w / 2, y: hit.y + hit.h / 2 };
    }, longest);
    await moveTo(tab, place.x, place.y);
    const tip = await tab.text("#panel-timeline .tip");
    for (const word of [`task ${place.id}`, "executed", "waiting", "begin", "% of the run"]) {
        assert.ok(tip.includes(word), `${word} is missing: ${tip}`);
    }
}

/** The darkest of the pixels just above the shortest task. */
async function darkestAbove(tab, select) {
    const shortest = await tab.run(async (isSelected) => {
        const { app } = globalThis.otter;
        await app.tasks.load();
        const task = Array.from({ length: app.tasks.rows() }, (_, row) => app.tasks.taskAt(row))
            .filter((one) => one.id).sort((a, b) => (a.end - a.begin) - (b.end - b.begin))[0];
        app.store.set({ select: isSelected ? `task:${task.task}` : "", from: 0, to: app.end });
        return task;
    }, select);
    await tab.settle();
    return tab.run((task) => {
        const { timeline } = globalThis.otter;
        const { surface, scene, tracks, left } = timeline.frame();
        const track = tracks.find((one) => one.kind === "lane" && one.item === task.lane);
        const x = Math.round(left + task.begin * scene.scale);
        const y = 66 + track.y + track.rows.at(-1).y - timeline.view.scroll - 5;
        const { data } = surface.context.getImageData(x - 2, y, 5, 1);
        return Math.min(...data.filter((_, i) => i % 4 === 1));
    }, shortest);
}

export async function a_selected_short_task_has_a_mark(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "path=&nest=0");
    const before = await darkestAbove(tab, false);
    await tab.open(`${folder}/tasks.html`, "path=&nest=0");
    const after = await darkestAbove(tab, true);
    assert.ok(after < 60 && before > 100, `the mark is dark: ${after}, before ${before}`);
}

export async function the_critical_path_has_a_switch_and_is_on(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    assert.equal((await tab.state()).path, "realised");
    const press = () => tab.run(() => document.querySelector(".path-switch").click());
    await press();
    await tab.settle();
    assert.equal((await tab.state()).path, "");
    await press();
    await tab.settle();
    assert.equal((await tab.state()).path, "realised");
    await tab.tab.select('select[aria-label="Which critical path"]', "span");
    await tab.settle();
    assert.equal((await tab.state()).path, "span");
}

export async function ready_tasks_have_a_lane_only_if_there_are_tasks(tab, folder) {
    for (const [name, wanted] of [["tasks", true], ["devices", false]]) {
        for (const [picture, view] of [["timeline", "timeline"], ["parallelism", "parallelism"]]) {
            await tab.open(`${folder}/${name}.html`, `tab=${picture}`);
            const kinds = await tab.run((which) => globalThis.otter[which].frame().tracks.map((track) => track.kind), view);
            assert.equal(kinds.includes("ready"), wanted, `${name}: ${kinds}`);
        }
    }
}

export async function tables_fit_and_their_columns_can_be_hidden(tab, folder) {
    await tab.tab.setViewport({ width: 1280, height: 800 });
    const { tables } = report(folder, "tasks");
    for (const table of Object.keys(tables).filter((name) => tables[name].length > 0)) {
        await tab.open(`${folder}/tasks.html`, `tab=tables&table=${table}`);
        const found = await tab.run(() => {
            const body = document.querySelector("#panel-tables .table");
            return { over: body.scrollWidth - body.clientWidth, lines: [...body.querySelectorAll("tbody tr")].map((row) => row.offsetHeight) };
        });
        assert.ok(found.over <= 0, `${table} is ${found.over} pixels too wide`);
        assert.ok(Math.max(...found.lines) <= 32, `${table}: a row has one line, not ${Math.max(...found.lines)} pixels`);
    }
    await tab.open(`${folder}/tasks.html`, "tab=tables&table=labels&columns=all");
    const heads = () => tab.run(() => [...document.querySelectorAll("#panel-tables thead button")].map((one) => one.dataset.column));
    const all = await heads();
    assert.deepEqual(all, Object.keys(tables.labels[0]));
    await tab.run((name) => document.querySelector(`[data-shows="${name}"]`).click(), all[2]);
    await tab.settle();
    assert.deepEqual(await heads(), all.filter((name) => name !== all[2]));
    assert.equal(await tab.run(() => getComputedStyle(document.querySelector("#panel-tables tbody th")).position), "sticky");
}

/** Waits until the details are open and the lane is in the canvas. */
async function waitForLane(tab, lane) {
    await tab.tab.waitForFunction((item) => {
        const { timeline } = globalThis.otter;
        const frame = timeline.frame();
        const { y, h } = frame.tracks.find((track) => track.kind === "lane" && track.item === item);
        const top = y - frame.scroll;
        return !document.getElementById("details").hidden && frame.height === timeline.canvas.clientHeight && top >= 0 && 66 + top + h <= frame.height;
    }, {}, lane);
}

export async function the_lane_of_the_selection_is_visible(tab, folder) {
    await tab.open(`${folder}/threads.html`);
    await tab.run(() => globalThis.otter.app.tasks.load());
    const last = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        const frame = timeline.frame(); // the details will cover the lowest visible lanes
        const lanes = frame.tracks.filter(({ kind, y, h }) => kind === "lane" && 66 + y + h <= frame.height).map(({ item }) => item);
        const tasks = Array.from({ length: app.tasks.rows() }, (_, row) => app.tasks.taskAt(row));
        const { task, lane } = tasks.filter((one) => one.id && lanes.includes(one.lane)).sort((a, b) => b.lane - a.lane)[0];
        app.store.set({ select: `task:${task}` });
        return lane;
    });
    await waitForLane(tab, last);
    const pieces = await tab.run(() => globalThis.otter.app.index.findings.findIndex(({ spans }) => spans.some(([lane]) => lane > 60)));
    assert.ok(pieces >= 0, "a finding has evidence on a lane that is not visible at first");
    await tab.run((i) => globalThis.otter.app.store.set({ select: `finding:${i}`, piece: -1 }), pieces);
    await tab.tab.waitForSelector(".evidence tbody tr");
    const lanes = await tab.run((i) => [...globalThis.otter.app.index.findings[i].spans]
        .sort((a, b) => (b[2] - b[1]) - (a[2] - a[1]) || a[1] - b[1]).map(([lane]) => lane), pieces);
    const far = lanes.findIndex((lane) => lane > 60);
    await tab.run((row) => document.querySelectorAll(".evidence tbody tr")[row].querySelector("button").click(), far);
    await waitForLane(tab, lanes[far]);
}

export async function evidence_is_a_sorted_table_with_keys(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "select=finding:0");
    await tab.tab.waitForSelector(".evidence tbody tr");
    const spans = await tab.run(() => globalThis.otter.app.index.findings[0].spans);
    const sorted = [...spans].sort((a, b) => (b[2] - b[1]) - (a[2] - a[1]) || a[1] - b[1]);
    assert.equal(await tab.run(() => document.querySelectorAll(".evidence tbody tr").length), spans.length);
    for (const [key, at] of [["n", 0], ["n", 1 % spans.length], ["p", 0], ["p", spans.length - 1]]) {
        await tab.press(key);
        await tab.tab.waitForFunction((i) => document.querySelectorAll(".evidence tbody tr")[i]?.className === "on", {}, at);
        const { from, to } = await tab.state();
        assert.ok(from <= sorted[at][1] && to >= sorted[at][2], `piece ${at} is visible`);
    }
}

export async function whole_words_are_found_first(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    await tab.tab.keyboard.press("/");
    await tab.tab.keyboard.type("task");
    await tab.tab.waitForSelector("#search-results li b");
    const texts = await tab.run(() => [...document.querySelectorAll("#search-results li b")].map((one) => one.textContent));
    const isWord = texts.map((text) => /(^|\W)task(\W|$)/.test(text));
    assert.ok(isWord[0] && isWord.lastIndexOf(true) < (isWord.indexOf(false) + 99) % 99, texts.join());
}

export async function nodes_of_the_graph_show_what_their_label_executed(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=graph");
    await tab.tab.waitForSelector(".node");
    const { nodes, labels, resolution, end } = await tab.run(() => {
        const { index, end: last } = globalThis.otter.app;
        return { nodes: index.graph.nodes, labels: index.labels, resolution: index.clock.resolution, end: last };
    });
    const wanted = report(folder, "tasks").tables.labels;
    let n = 0;
    for (const [i, node] of nodes.entries()) {
        const text = labels[node.label]?.text;
        const sum = wanted.filter(({ label }) => label === text || label === `${text}, other`).reduce((all, row) => all + row.executed_s, 0);
        if (node.executed > 0) {
            assert.ok(Math.abs(node.executed / resolution - sum) < 2 / resolution, `${node.text}: ${node.executed / resolution} for ${sum}`);
            assert.match(await tab.text(`[data-key="group:${i}"]`), /executed/);
            n++;
        }
    }
    assert.ok(n >= 3, `${n} nodes execute`);
    assert.deepEqual(nodes.filter(({ kind }) => kind === "end" || kind === "begin"), [], "a start and its end are one node");
    const widths = await tab.run(() => new Set([...document.querySelectorAll(".node")].map((node) => Math.round(node.getBoundingClientRect().x / 300))).size);
    assert.ok(widths > 1 && end > 0, "a chain has columns");
    await tab.tab.hover('[data-key="group:0"]');
    assert.match(await tab.text("#panel-graph .tip"), /begin to end, with waits/);
}

export async function the_page_of_a_job_begins_with_the_job(tab, folder) {
    const wanted = report(folder, "job");
    await tab.open(`${folder}/job.html`);
    const cards = await tab.run(() => [...document.querySelectorAll("#report .finding b")].map((one) => one.textContent));
    assert.deepEqual(cards, wanted.findings.map(({ kind }) => kind), "the findings of otter report, in its order");
    assert.equal(await tab.text("#report code"), wanted.archive);
    await tab.tab.select("#rank", "1");
    await tab.settle();
    assert.match(await tab.text("#report code"), /rank-0001$/);
    await tab.tab.select("#rank", "all");
    await tab.settle();
    assert.equal(await tab.text("#report code"), wanted.archive);
}
