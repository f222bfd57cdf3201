// Pictures and tables show the numbers of `otter report --json`, which NAME.json contains.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const UNITS = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function report(folder, name) {
    return JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
}

/** "2.74 ms" → 0.00274, "58.1 %" → 58.1, "1,234" → 1234; and half a unit of the last digit. */
function numberAndSlack(text) {
    const [, digits, unit = ""] = text.trim().match(/^(-?[\d.,]+)\s*(\S+)?/) ?? [];
    const scale = UNITS[unit] ?? 1;
    const [, behindPoint = ""] = digits.split(".");
    return [Number(digits.replace(/,/g, "")) * scale, 0.5 * 0.1 ** behindPoint.length * scale];
}

function numberOf(text) {
    return numberAndSlack(text)[0];
}

/** Shows control characters and marks of direction as their numbers. */
function visible(text) {
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/g,
        (c) => ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c] ?? `\\${c < "\x80" ? "x" : "u"}${c.charCodeAt(0).toString(16).padStart(c < "\x80" ? 2 : 4, "0")}`));
}

/** Equal to the precision of the printed digits. */
function assertShown(text, value, what) {
    if (text === ">1000 %") {
        assert.ok(value > 1000, `${what}: ${text} is shown for ${value}`);
        return;
    }
    const [shown, slack] = numberAndSlack(text);
    assert.ok(Math.abs(shown - value) <= slack * 1.001, `${what}: ${text} is shown for ${value}`);
}

export async function the_report_stands_beside_the_pictures(tab, folder) {
    const wanted = report(folder, "tasks");
    await tab.open(`${folder}/tasks.html`);
    const figures = await tab.run(() => Object.fromEntries([...document.querySelectorAll(".figure")].map(
        (one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])));
    assertShown(figures["wall time"], wanted.wall_s, "wall");
    assertShown(figures["work T1"], wanted.work_s, "work");
    assertShown(figures.span, wanted.span_s, "span");
    assertShown(figures.parallelism, wanted.parallelism, "parallelism");
    assertShown(figures["speed-up"].replace(/ of .*/, ""), wanted.speed_up, "speed-up");
    assert.match(figures.parallelism, /^\d+\.\d$/, "one decimal, as otter report prints it");
    assert.equal(numberOf(figures.threads), wanted.threads);
    const cards = await tab.run(() => [...document.querySelectorAll(".finding")].map((card) => [
        card.querySelector("b").textContent, card.querySelector(".cost").textContent]));
    assert.equal(cards.length, wanted.findings.length);
    wanted.findings.forEach((finding, i) => {
        assert.equal(cards[i][0], finding.kind);
        assertShown(cards[i][1], finding.cost_percent, finding.kind);
    });
    const rows = await tab.run(() => [...document.querySelectorAll("#report .parts tr")].map(
        (row) => [row.children[0].textContent, row.children[1].textContent]));
    for (const [column, name] of Object.entries(wanted.heads.thread_time)) {
        const [, text] = rows.find(([shown]) => shown === name) ?? [name, "0 ns"];
        assertShown(text, wanted.thread_time[column], name);
    }
    const factors = await tab.run(() => [...document.querySelectorAll(".factors span:not(.times)")].map((one) => one.textContent));
    assert.ok(factors.length >= 3 && factors.every((name) => Object.values(wanted.heads.efficiency).includes(name)), `${factors}`);
    const parts = rows.map(([, text]) => text);
    const sum = parts.reduce((total, text) => total + numberOf(text), 0);
    assert.ok(Math.abs(sum - wanted.thread_time.total_s) < 0.01 * wanted.thread_time.total_s, `${parts}`);
}

export async function a_finding_links_to_its_evidence(tab, folder) {
    const wanted = report(folder, "tasks");
    assert.ok(wanted.findings.length > 0, "the program has findings");
    await tab.open(`${folder}/tasks.html`, "tab=tables");
    for (let i = 0; i < wanted.findings.length; i++) {
        await tab.run((n) => document.querySelectorAll(".finding a")[n].click(), i);
        await tab.tab.waitForFunction((n) => globalThis.otter.app.store.get().select === `finding:${n}`, {}, i); // an event follows the link
        await tab.settle();
        const { tab: shown, select, from, to } = await tab.state();
        assert.deepEqual([shown, select], ["timeline", `finding:${i}`]);
        const evidence = await tab.run((n) => globalThis.otter.app.index.findings[n], i);
        assert.ok(from <= evidence.begin && to >= evidence.end, `${from} to ${to} does not show ${evidence.begin} to ${evidence.end}`);
        await tab.tab.waitForFunction((text) => document.getElementById("details").textContent.includes(text), {}, wanted.findings[i].kind);
        assert.equal(await tab.run(() => document.querySelectorAll(".finding.on").length), 1);
    }
}

/** Writes the page NAME.html with another index. */
function change(folder, from, name, of) {
    writeFileSync(`${folder}/${name}.html`, readFileSync(`${folder}/${from}.html`, "utf8").replace(/(id="otter-index">)([^<]*)/, (_, head, text) => {
        const index = JSON.parse(text);
        of(index);
        return head + JSON.stringify(index).replace(/</g, "\\u003c");
    }));
}

export async function a_finding_that_is_no_loss_has_no_cost(tab, folder) {
    const findings = [...report(folder, "kokkos").findings, { ...report(folder, "kokkos").findings[0], cost_s: 0, cost_percent: 0 }];
    change(folder, "kokkos", "blocked", (index) => Object.assign(index, { findings: [...index.findings, index.findings[0]],
        report: { ...index.report, findings } }));
    await tab.open(`${folder}/blocked.html`);
    const costs = await tab.run(() => [...document.querySelectorAll(".finding")].map((card) => [
        card.querySelector(".cost") !== null, /costs .* of thread time/.test(card.textContent)]));
    assert.deepEqual(costs, findings.map((finding) => [finding.cost_s > 0, finding.cost_s > 0]));
}

export async function an_imbalance_shows_what_the_members_execute(tab, folder) {
    await tab.open(`${folder}/uneven.html`);
    const found = await tab.run(async () => {
        const { app } = globalThis.otter;
        const labels = [];
        for (const { finding, label, spans } of app.index.findings.filter((one) => one.finding.kind === "imbalance")) {
            for (const [lane, begin] of spans) {
                await app.lanes.loadedSlices(lane, 0, begin, begin, (of, i) => {
                    if (of.start[i] === begin) {
                        labels.push([finding.where, app.index.states[of.state[i]], of.label[i] === label]);
                    }
                });
            }
        }
        return labels;
    });
    assert.ok(found.length > 0);
    found.forEach(([, ...one]) => assert.deepEqual(one, ["executing", true], JSON.stringify(found)));
}

export async function long_labels_leave_room_for_the_others(tab, folder) {
    await tab.open(`${folder}/long.html`);
    const [wide, rooms] = await tab.run(() => [document.getElementById("report").scrollWidth - document.getElementById("report").clientWidth,
        [...document.querySelectorAll(".labels .jump")].map((one) => one.offsetWidth)]);
    assert.ok(wide <= 0, `the report is ${wide} pixels too wide`);
    assert.ok(rooms.length > 0 && Math.max(...rooms) < 300, `labels of ${rooms} pixels`);
}

export async function tables_are_those_of_the_report(tab, folder) {
    for (const name of ["tasks", "kokkos"]) {
        const { tables, heads } = report(folder, name);
        await tab.open(`${folder}/${name}.html`, "tab=tables");
        const filled = Object.keys(tables).filter((table) => tables[table].length > 0 && typeof tables[table][0] === "object");
        assert.ok(filled.length >= 3, `${filled}`);
        for (const table of filled) {
            await tab.open(`${folder}/${name}.html`, `tab=tables&columns=all&table=${table}`);
            const rows = await tab.run(() => [...document.querySelectorAll(".table tbody tr")].map(
                (row) => [...row.children].map((cell) => cell.textContent)));
            assert.equal(rows.length, Math.min(tables[table].length, 300), table);
            const shown = await tab.run(() => [...document.querySelectorAll(".table thead th button")].map(
                (button) => button.firstChild.textContent));
            Object.keys(tables[table][0]).forEach((column, i) => {
                if (heads[table][column]) {
                    assert.equal(shown[i], heads[table][column], `${table} ${column}`);
                }
            });
            rows.forEach((cells, i) => Object.entries(tables[table][i]).forEach(([column, value], j) => {
                if (typeof value === "number") {
                    assertShown(cells[j], value, `${table} ${column}`);
                } else {
                    assert.equal(cells[j], visible(value ?? ""));
                }
            }));
        }
    }
}

export async function rows_of_kernels_are_linked(tab, folder) {
    change(folder, "kokkos", "places", ({ labels }) => labels.filter(({ kind }) => kind === "kernel").forEach((label) => Object.assign(label,
        { text: `${label.what} k.cpp:7`, where: "k.cpp:7", line: 7 })));
    await tab.open(`${folder}/places.html`, "tab=tables&table=kernels");
    const { kernels } = report(folder, "kokkos").tables;
    await tab.run(() => document.querySelector(".table tbody .jump").click());
    const [kind, label] = (await tab.state()).select.split(":");
    assert.equal(kind, "label");
    assert.equal(await tab.run((i) => globalThis.otter.app.index.labels[i].what, Number(label)), kernels[0].kernel);
}

export async function a_table_is_sorted_filtered_and_linked(tab, folder) {
    const { labels } = report(folder, "tasks").tables;
    await tab.open(`${folder}/tasks.html`, "tab=tables&table=labels&columns=all");
    const first = () => tab.run(() => [...document.querySelectorAll(".table tbody th")].map((cell) => cell.textContent));
    await tab.tab.click('[data-column="blame_s"]');
    await tab.settle();
    const byBlame = [...labels].sort((a, b) => b.blame_s - a.blame_s).map((row) => row.label);
    assert.deepEqual(await first(), byBlame);
    await tab.tab.click('[data-column="blame_s"]');
    await tab.settle();
    assert.equal(await tab.run(() => document.querySelector('[aria-sort="ascending"] button').dataset.column), "blame_s");
    await tab.tab.type('.graph-bar input[type="search"]', "TASK");
    await tab.settle();
    const matching = labels.filter((row) => row.label.toLowerCase().includes("task"));
    assert.equal((await first()).length, matching.length);
    await tab.run(() => document.querySelector(".table tbody .jump").click());
    await tab.settle();
    const { select } = await tab.state();
    const [text] = await first();
    assert.equal(await tab.run((name) => globalThis.otter.app.index.labels[Number(name.slice(6))].text, select), text);
    assert.equal(await tab.run(() => document.querySelectorAll(".table tr.on").length), 1);
}

/** Ticks of row 0 by lane and state, as the timeline has drawn them. */
function drawnTotals() {
    const { app, timeline } = globalThis.otter;
    const totals = app.index.lanes.map((lane) => lane.totals.map(() => 0));
    for (const hit of timeline.frame().scene.hits) {
        if (hit.row === 0 && hit.sums) {
            hit.sums.forEach((ticks, state) => {
                totals[hit.lane][state] += ticks;
            });
        } else if (hit.row === 0 && app.index.states[hit.state] !== "aggregate") {
            totals[hit.lane][hit.state] += hit.to - hit.from;
        }
    }
    return totals.map((list, i) => [list, app.index.lanes[i].totals]);
}

export async function the_timeline_draws_every_tick_of_every_thread(tab, folder) {
    for (const name of ["tasks", "recorded", "nested", "paused", "recovered", "kokkos", "devices", "one"]) {
        await tab.open(`${folder}/${name}.html`);
        for (const [drawn, wanted] of await tab.run(drawnTotals)) {
            wanted.forEach((ticks, state) => assert.ok(Math.abs((drawn[state] ?? 0) - ticks) <= 2,
                `${name}: state ${state} is drawn for ${drawn[state]} of ${ticks} ticks`));
        }
        const wanted = report(folder, name).thread_time;
        const resolution = await tab.run(() => globalThis.otter.app.index.clock.resolution);
        const executing = (await tab.run(drawnTotals)).filter((_, lane) => lane < report(folder, name).threads)
            .reduce((sum, [drawn]) => sum + drawn[1], 0) / resolution;
        const reported = wanted.executing_s + wanted.preempted_s + wanted.creating_s;
        assert.ok(Math.abs(executing - reported) <= 1e-6 + 0.001 * reported, `${name}: ${executing} s for ${reported} s`);
    }
}

export async function a_click_on_a_slice_selects_its_task(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    await tab.run(() => globalThis.otter.app.tasks.load());
    const tasks = await tab.run(() => {
        const { tasks: all } = globalThis.otter.app;
        const rows = Array.from({ length: all.rows() }, (_, row) => all.taskAt(row));
        return rows.filter((task) => task.id && task.end - task.begin === task.work).sort((a, b) => b.work - a.work).slice(0, 5);
    });
    assert.equal(tasks.length, 5);
    for (const task of tasks) {
        await tab.run(({ begin, end }) => globalThis.otter.app.store.set({ from: begin - (end - begin), to: end + (end - begin), select: "" }), task);
        await tab.settle();
        const place = await tab.run(({ lane, begin, task: number }) => {
            const { scene } = globalThis.otter.timeline.frame();
            const hit = scene.hits.find((one) => one.lane === lane && one.task === number && one.from >= begin && one.w > 20);
            const box = globalThis.otter.timeline.canvas.getBoundingClientRect();
            return hit && { x: box.x + hit.x + hit.w / 2, y: box.y + hit.y + hit.h / 2 };
        }, task);
        assert.ok(place, `task ${task.id} is drawn`);
        await tab.tab.mouse.click(place.x, place.y);
        await tab.settle();
        assert.equal((await tab.state()).select, `task:${task.task}`);
        await tab.tab.waitForFunction((text) => document.querySelector("#details h2")?.textContent.includes(text), {}, `task ${task.id}`);
        const facts = await tab.run(() => Object.fromEntries([...document.querySelectorAll("#details .facts div")].map(
            (one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])));
        const resolution = await tab.run(() => globalThis.otter.app.index.clock.resolution);
        assertShown(facts.executed, task.work / resolution, "executed");
        assertShown(facts["queue delay"], (task.begin - task.ready) / resolution, "queue delay");
    }
}

export async function predecessors_and_successors_are_one_relation(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const wrong = await tab.run(async () => {
        const { tasks } = globalThis.otter.app;
        await tasks.load();
        const found = [];
        let edges = 0;
        for (let row = 0; row < tasks.rows(); row++) {
            const { task } = tasks.taskAt(row);
            for (const edge of tasks.outOf(task)) {
                edges++;
                if (!tasks.into(edge.to).some((other) => other.from === task && other.kind === edge.kind)) {
                    found.push(edge);
                }
            }
        }
        return edges > 100 ? found : [`only ${edges} edges`];
    });
    assert.deepEqual(wrong, []);
    await tab.run(() => {
        const { app } = globalThis.otter;
        const { tasks } = app;
        for (let row = 0; row < tasks.rows(); row++) {
            const { task } = tasks.taskAt(row);
            if (tasks.into(task).some((edge) => edge.kind === "dependence") && tasks.outOf(task).length > 0) {
                app.store.set({ select: `task:${task}` });
                return;
            }
        }
    });
    await tab.tab.waitForSelector("#details .links .jump");
    const before = (await tab.state()).select;
    await tab.run(() => document.querySelector("#details .links .jump").click());
    await tab.settle();
    const after = (await tab.state()).select;
    assert.notEqual(after, before);
    assert.match(after, /^task:\d+$/);
}

export async function a_range_has_the_sums_of_its_slices(tab, folder) {
    await tab.open(`${folder}/tasks.html`);
    const box = await tab.run(() => {
        const { x, y, width, height } = globalThis.otter.timeline.canvas.getBoundingClientRect();
        return { x, y, width, height };
    });
    await tab.tab.mouse.move(box.x + box.width * 0.4, box.y + 190);
    await tab.tab.mouse.down();
    await tab.tab.mouse.move(box.x + box.width * 0.5, box.y + 195, { steps: 4 });
    await tab.tab.mouse.move(box.x + box.width * 0.7, box.y + 200, { steps: 4 });
    await tab.tab.mouse.up();
    await tab.settle();
    const { range, from, to } = await tab.state();
    const [begin, end] = range.split(":").map(Number);
    const left = await tab.run(() => globalThis.otter.timeline.frame().left);
    const tick = (share) => from + (box.width * share - left) / (box.width - left) * (to - from);
    const slack = (to - from) / box.width * 2;
    assert.ok(Math.abs(begin - tick(0.4)) <= slack && Math.abs(end - tick(0.7)) <= slack, range);
    await tab.tab.waitForFunction(() => document.querySelector("#details .facts"));
    const shown = await tab.run(() => Object.fromEntries([...document.querySelectorAll("#details .facts div")].map(
        (one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])));
    const executing = await tab.run(async (low, high) => {
        const { app } = globalThis.otter;
        let sum = 0;
        for (const [lane, { kind }] of app.index.lanes.entries()) {
            await app.lanes.loadedSlices(lane, 0, 0, app.end, (of, i) => {
                if (kind === "thread" && of.state[i] === 1) {
                    sum += Math.max(Math.min(of.start[i] + of.duration[i], high) - Math.max(of.start[i], low), 0);
                }
            });
        }
        return sum / app.index.clock.resolution;
    }, begin, end);
    assertShown((shown.busy ?? "0 s").split(",")[0], executing, "busy");
}

export async function the_profile_has_the_means_of_all_threads(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=parallelism");
    await tab.run(() => globalThis.otter.app.store.set({ from: 0, to: globalThis.otter.app.end }));
    const step = await tab.run(() => globalThis.otter.app.index.profile.step);
    const rows = await tab.run(() => globalThis.otter.parallelism.frame().profile.rows);
    for (const row of [0, rows >> 2, rows >> 1, rows - 3]) {
        await tab.run((from, to) => globalThis.otter.app.store.set({ from, to }), row * step, (row + 2) * step);
        await tab.settle();
        const wanted = await tab.run(async (from, to) => {
            const { app } = globalThis.otter;
            const ticks = app.index.states.map(() => 0);
            for (const [lane, { kind }] of app.index.lanes.entries()) {
                await app.lanes.loadedSlices(lane, 0, from, to, (of, i) => {
                    const part = Math.min(of.start[i] + of.duration[i], to) - Math.max(of.start[i], from);
                    ticks[of.state[i]] += kind === "thread" ? Math.max(part, 0) : 0;
                });
            }
            return Object.fromEntries(app.index.states.map((name, i) => [name, ticks[i] / (to - from)]));
        }, row * step, (row + 1) * step);
        const place = await tab.run(() => {
            const { canvas, frame } = globalThis.otter.parallelism;
            const { x, y, width, height } = canvas.getBoundingClientRect();
            const { left } = frame();
            return { x: x + left + (width - left) / 4, y: y + height / 2 }; // in the first of two steps
        });
        await tab.tab.mouse.move(place.x, place.y);
        await tab.tab.mouse.move(place.x + 1, place.y);
        const texts = await tab.run(() => [...document.querySelectorAll("#panel-parallelism .tip span")].map((one) => one.textContent));
        const shown = Object.fromEntries(texts.map((text) => [text.replace(/ [^ ]*$/, ""), Number(text.split(" ").at(-1))]));
        for (const state of ["executing", "waiting", "lock", "forking"]) {
            const name = state === "executing" ? "busy" : state;
            assert.ok(Math.abs((shown[name] ?? 0) - wanted[state]) <= 0.0051, `row ${row}: ${state} ${shown[state]} for ${wanted[state]}`);
        }
        assert.ok(Object.values(shown).some((value) => value > 0), texts.join());
    }
}

export async function the_graph_opens_level_by_level(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=graph");
    await tab.tab.waitForSelector(".node");
    const count = () => tab.run(() => document.querySelectorAll(".node").length);
    const groups = await tab.run(() => globalThis.otter.app.index.graph.nodes);
    assert.equal(await count(), groups.length);
    const onPath = await tab.run(() => document.querySelectorAll(".node.on-path").length);
    assert.equal(onPath, groups.filter((group) => group.path > 0).length);
    const at = groups.findIndex((group) => group.kind === "task" && group.count > 10);
    const shown = await tab.run((n) => document.querySelector(`[data-key="group:${n}"]`).textContent, at);
    assert.ok(shown.includes(`${groups[at].count}`.replace(/\B(?=(\d{3})+$)/g, ",")), shown);
    await tab.run((n) => document.querySelector(`[data-key="group:${n}"]`).dispatchEvent(new MouseEvent("click")), at);
    await tab.tab.waitForSelector('[data-key^="task:"]');
    assert.ok(await count() <= 60);
    await tab.run(() => document.querySelector('[data-key^="task:"]').focus());
    await tab.tab.keyboard.press("Enter");
    await tab.settle();
    const { open, select } = await tab.state();
    assert.match(open, /^task:/);
    assert.equal(open, select);
    await tab.tab.waitForFunction((key) => document.querySelector(`[data-key="${key}"]`)?.classList.contains("on"), {}, open);
    assert.ok(await count() >= 2 && await count() <= 60);
    await tab.run(() => document.querySelector(".graph-bar nav button").click());
    await tab.tab.waitForSelector('[data-key="group:0"]');
}

export async function a_construct_with_tasks_is_a_frame(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=graph");
    await tab.tab.waitForSelector(".frame");
    const { frames, nodes, edges } = await tab.run(() => globalThis.otter.app.index.graph);
    const [region, single] = ["parallel", "single"].map((word) => frames.findIndex(({ text }) => text.startsWith(`${word} `)));
    assert.deepEqual([frames[region].parent, frames[single].parent], [-1, region]);
    const inside = nodes.filter(({ frame }) => frame === single).map(({ text }) => text.split(" ")[0]);
    assert.deepEqual(inside.sort(), ["single", "task", "task", "taskwait"], "the chain of tasks may outlive the single construct");
    assert.ok(edges.every(({ from, to, is_back }) => is_back || to !== frames[single].begin || nodes[from].frame !== single), "no edge to the end");
    const leaves = await tab.run((key) => {
        const part = [...document.querySelectorAll(`[data-frame="${key}"] rect`)].at(-1);
        const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(part.getAttribute(name)));
        const begins = [...document.querySelectorAll(".edge")].map((edge) => edge.getAttribute("d").match(/^M([-\d.]+),([-\d.]+)/).slice(1).map(Number));
        return begins.some(([left, top]) => (left === x + w / 2 && top === y + h) || (left === x + w && top === y + h / 2));
    }, single);
    assert.ok(leaves, "an edge leaves the frame");
    await tab.run((key) => document.querySelector(`[data-frame="${key}"]`).dispatchEvent(new MouseEvent("click")), region);
    await tab.tab.waitForSelector(`[data-key="frame:${region}"]`);
    assert.equal(await tab.run(() => document.querySelectorAll(".node").length), 2, "the initial task and the region");
}

export async function a_closed_frame_is_one_node(tab, folder) {
    await tab.open(`${folder}/kokkos.html`, "tab=graph");
    await tab.tab.waitForSelector(".frame");
    const { frames, nodes } = await tab.run(() => globalThis.otter.app.index.graph);
    const isInside = (frame, outer) => frame >= 0 && (frame === outer || isInside(frames[frame].parent, outer));
    const at = frames.findIndex((_, i) => nodes.some((node) => isInside(node.frame, i)));
    const inside = nodes.filter((node) => isInside(node.frame, at)).length;
    await tab.run((n) => document.querySelector(`[data-frame="${n}"]`).dispatchEvent(new MouseEvent("click")), at);
    await tab.tab.waitForSelector(`[data-key="frame:${at}"]`);
    assert.equal(await tab.run(() => document.querySelectorAll(".node").length), nodes.length - inside + 1);
    assert.equal((await tab.state()).closed, `${at}`);
    await tab.run((n) => document.querySelector(`[data-key="frame:${n}"]`).dispatchEvent(new MouseEvent("click")), at);
    await tab.tab.waitForSelector(`[data-frame="${at}"]`);
    assert.equal(await tab.run(() => document.querySelectorAll(".node").length), nodes.length);
}

export async function bars_of_the_flame_graph_add_up(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=creation");
    const sums = await tab.run(async () => {
        const { of, rows } = await globalThis.otter.app.data.table("flame");
        const inside = new Float64Array(rows);
        for (let i = 1; i < rows; i++) {
            inside[of.parent[i]] += of.total[i];
        }
        return Array.from({ length: rows }, (_, i) => [of.total[i], of.self[i] + inside[i]]);
    });
    assert.ok(sums.length > 2);
    sums.forEach(([total, parts]) => assert.equal(parts, total));
    await tab.tab.waitForSelector("#panel-creation nav button");
    const { x, y } = await tab.run(() => {
        const box = document.querySelector("#panel-creation canvas").getBoundingClientRect();
        const bar = globalThis.otter.flame.bars().filter(({ node }) => node > 0).sort((a, b) => b.w - a.w)[0];
        return { x: box.x + bar.x + bar.w / 2, y: box.y + bar.y + 10 };
    });
    await tab.tab.mouse.click(x, y);
    await tab.settle();
    const { flame, select } = await tab.state();
    assert.ok(Number(flame) > 0 && /^label:/.test(select), `${flame} ${select}`);
}

export async function functions_are_those_of_the_selection(tab, folder) {
    if (!existsSync(`${folder}/sampled.html`)) {
        return; // perf events are not allowed here
    }
    await tab.open(`${folder}/tasks.html`);
    assert.equal(await tab.run(() => document.getElementById("tab-functions")), null, "no samples");
    await tab.open(`${folder}/sampled.html`, "tab=functions");
    const shown = async () => {
        await tab.settle();
        await tab.tab.waitForFunction(() => globalThis.otter.functions.bars().length > 2);
        await tab.settle();
        return tab.run(() => ({ bars: globalThis.otter.functions.bars(), root: document.querySelector("#panel-functions nav").textContent,
            note: document.querySelector("#panel-functions .soft").textContent }));
    };
    const samples = await tab.run(async () => {
        const { app } = globalThis.otter;
        const { rows, of } = await app.data.table("samples", 0);
        const tasks = new Map();
        Array.from({ length: rows }, (_, i) => of.task[i]).filter((task) => task).forEach((task) => tasks.set(task, (tasks.get(task) ?? 0) + 1));
        return { rows, task: [...tasks].sort((a, b) => b[1] - a[1])[0], label: app.labelOf(app.index.labels.find(({ kind }) => kind === "task").text) };
    });
    const all = await shown();
    assert.match(all.root, /^all samples/);
    assert.equal(numberOf(all.note), samples.rows);
    for (const [row, y] of all.bars.filter(({ node }) => node > 0).map((bar) => [bar, bar.y])) {
        assert.ok(row.w <= all.bars[0].w && y > all.bars[0].y);
    }
    const widest = all.bars.filter(({ y }) => y === all.bars[1].y).sort((a, b) => b.w - a.w)[0];
    const box = await tab.run(() => {
        const { x, y } = document.querySelector("#panel-functions canvas").getBoundingClientRect();
        return { x, y };
    });
    await tab.tab.mouse.click(box.x + widest.x + widest.w / 2, box.y + widest.y + 10);
    await tab.settle();
    assert.match((await tab.state()).select, /^label:/, "a click on a label selects it");
    await tab.run((label) => globalThis.otter.app.store.set({ select: `label:${label}` }), samples.label);
    const label = await shown();
    assert.match(label.root, /^task planted.c:/);
    assert.ok(numberOf(label.note) < samples.rows);
    const names = await tab.run(() => [...document.querySelectorAll("#details .parts th")].map((cell) => cell.textContent));
    assert.ok(names.slice(0, 3).includes("heavy"), names.join());
    await tab.run((task) => globalThis.otter.app.store.set({ select: `task:${task}` }), samples.task[0]);
    await tab.tab.waitForFunction((n) => document.querySelector("#panel-functions .soft").textContent.startsWith(`${n} samples`), {}, samples.task[1]);
    await tab.run(() => globalThis.otter.app.store.set({ select: "" }));
    await tab.tab.select("#panel-functions select", "1");
    await tab.settle();
    assert.match((await tab.state()).range, /^0:\d+:1$/, "a thread is a range of time");
}

export async function histograms_count_every_task(tab, folder) {
    await tab.open(`${folder}/tasks.html`, "tab=lengths");
    await tab.tab.waitForSelector(".lengths figure");
    const shown = await tab.run(() => [...document.querySelectorAll(".lengths figure")].map((figure) => [
        figure.querySelector(".jump").textContent, figure.querySelector(".soft").textContent,
        [...figure.querySelectorAll("rect title")].map((title) => title.textContent.split(": ")[1])]));
    const wanted = report(folder, "tasks").tables.tasks;
    assert.equal(shown.length, wanted.length);
    for (const [label, text, bars] of shown) {
        const row = wanted.find((one) => one.task === label);
        assert.equal(numberOf(text), row.count, label);
        assert.equal(bars.reduce((sum, bar) => sum + numberOf(bar), 0), row.count, label);
    }
}
