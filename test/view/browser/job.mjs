// The page of a job: the report of all ranks, a chosen rank, and groups of lanes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const TABS = ["job", "timeline", "parallelism", "graph", "creation", "lengths", "tables"];

const selected = (tab) => tab.run(() => document.querySelector('[aria-selected="true"]').id);

export async function the_first_tab_is_the_report_of_the_job(tab, folder) {
    const report = JSON.parse(readFileSync(`${folder}/job.json`, "utf8"));
    await tab.open(`${folder}/job.html`);
    assert.equal(await selected(tab), "tab-job");
    const rows = await tab.run(() => [...document.querySelectorAll(".ranks tbody tr")].map((row) => ({
        rank: Number(row.dataset.rank), cells: [...row.children].map((cell) => cell.textContent),
        links: [...row.querySelectorAll("a")].map((link) => link.hash) })));
    const order = await tab.run(() => globalThis.otter.app.index.job.outliers);
    const expected = order.map((rank) => report.ranks.find((row) => row.rank === rank));
    assert.deepEqual(rows.map(({ rank }) => rank), order, "outliers first");
    rows.forEach(({ cells }, i) => {
        const percent = (value) => `${value.toFixed(1)} %`;
        assert.ok(cells.includes(percent(expected[i].efficiency * 100)), cells.join("|"));
        assert.ok(cells.some((cell) => cell.startsWith(expected[i].first_finding || "nothing")), cells.join("|"));
    });
    const summary = await tab.run(() => [...document.querySelectorAll(".summary tbody tr")].map((row) => (
        [...row.children].map((cell) => cell.textContent.trim()))));
    const works = report.ranks.map((row) => row.work_s);
    const of = (value) => report.ranks.find((row) => row.work_s === value).rank;
    const work = summary.find(([name]) => name === "work T1");
    assert.deepEqual([work[2], work[5]], [`rank ${of(Math.min(...works))}`, `rank ${of(Math.max(...works))}`]);
}

export async function a_link_shows_the_evidence_of_its_rank(tab, folder) {
    await tab.open(`${folder}/job.html`);
    const [last, text] = await tab.run(() => {
        const row = [...document.querySelectorAll(".ranks tbody tr")].reverse().find((one) => one.querySelectorAll("a").length === 2);
        row.querySelector("a").click();
        return [Number(row.dataset.rank), row.querySelector("a").textContent];
    });
    await tab.tab.waitForFunction((rank) => {
        const state = globalThis.otter.app.store.get();
        return state.rank === rank && state.tab === "timeline" && state.select && document.querySelector(".finding.on");
    }, {}, last);
    await tab.settle();
    const shown = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        const [, number] = app.store.get().select.split(":").map(Number);
        const { rank, spans, finding } = app.index.findings[number];
        return { kind: finding.kind, rank: app.index.ranks[rank].rank, lanes: spans.map(([lane]) => app.index.lanes[lane].rank === rank),
            isOpen: timeline.frame().tracks.some((track) => track.kind === "lane" && track.rank === rank),
            card: document.querySelector(".finding.on") !== null };
    });
    assert.equal(shown.rank, last);
    assert.equal(shown.kind, text.split(":")[0]);
    assert.ok(shown.lanes.every(Boolean) && shown.isOpen && shown.card, JSON.stringify(shown));
}

export async function a_chosen_rank_has_its_own_pictures(tab, folder) {
    await tab.open(`${folder}/job.html`, "tab=tables");
    const numbers = await tab.run(() => globalThis.otter.app.index.ranks.map(({ rank }) => rank));
    assert.equal(numbers.length, 3);
    for (const rank of numbers) {
        await tab.tab.select("#rank", String(rank));
        for (const picture of TABS) {
            await tab.run((name) => globalThis.otter.app.store.set({ tab: name }), picture);
            await tab.settle();
            assert.equal((await tab.state()).rank, rank);
            if (picture === "creation") { // the table is being inflated
                await tab.tab.waitForFunction(() => globalThis.otter.flame.bars().length > 0);
            } else if (picture === "lengths") {
                await tab.tab.waitForSelector("#panel-lengths figure");
            }
        }
        const found = await tab.run(() => {
            const { app, flame } = globalThis.otter;
            const { index } = app.index.ranks[app.rank()];
            return { archive: document.querySelector("#report code").textContent, wanted: index.report.archive,
                wall: document.querySelector("#report .figure dd").textContent,
                rows: document.querySelectorAll("#panel-tables tbody tr").length,
                threads: Object.values(index.report.tables)[0].length,
                nodes: document.querySelectorAll("#panel-graph .node").length, groups: index.graph.nodes.length,
                figures: document.querySelectorAll("#panel-lengths figure").length, bars: flame.bars().length };
        });
        assert.equal(found.archive, found.wanted);
        assert.ok(found.archive.endsWith(`rank-000${rank}`), found.archive);
        assert.equal(found.rows, found.threads);
        assert.equal(found.nodes, found.groups);
        assert.ok(found.figures > 0 && found.bars > 0, JSON.stringify(found));
    }
    await tab.open(`${folder}/job.html`, `tab=graph&rank=${numbers[1]}`);
    assert.match(await tab.text("#report code"), new RegExp(`rank-000${numbers[1]}$`), "the address has the rank");
}

export async function lanes_of_ranks_have_one_time_and_all_ticks(tab, folder) {
    await tab.open(`${folder}/job.html`, "tab=timeline");
    const lanes = await tab.run(() => {
        const { app, timeline } = globalThis.otter;
        app.store.set({ report: false });
        const { hits } = timeline.frame().scene;
        return app.index.lanes.map((lane, i) => {
            const own = hits.filter((hit) => hit.lane === i && hit.row === 0);
            const { first, last } = app.index.ranks[lane.rank].index.clock;
            return { kind: lane.kind, from: Math.min(...own.map((hit) => hit.from)), to: Math.max(...own.map((hit) => hit.to)), first, last,
                isDrawn: own.length > 0, drawn: own.reduce((sum, hit) => sum + (hit.sums ? hit.sums[1] : hit.state === 1 ? hit.to - hit.from : 0), 0),
                executed: lane.totals[1], end: app.end };
        });
    });
    const drawn = lanes.filter(({ isDrawn }) => isDrawn);
    assert.ok(drawn.length >= 3, "lanes of several ranks are visible");
    for (const lane of drawn) {
        const near = lane.end * 0.02;
        assert.ok(lane.from >= lane.first - near && lane.to <= lane.last + near, JSON.stringify(lane));
        assert.ok(Math.abs(lane.drawn - lane.executed) <= lane.end * 0.01, JSON.stringify(lane));
    }
}

export async function a_click_on_a_rank_folds_it(tab, folder) {
    await tab.open(`${folder}/job.html`, "tab=timeline");
    const heading = () => tab.run(() => {
        const { timeline } = globalThis.otter;
        const frame = timeline.frame();
        const track = frame.tracks.filter(({ kind }) => kind === "rank")[1];
        const box = timeline.canvas.getBoundingClientRect();
        return { x: box.x + 40, y: box.y + 66 + track.y - frame.scroll + track.h / 2, isFolded: track.isFolded, rank: track.rank,
            lanes: frame.tracks.filter(({ kind, rank }) => kind === "lane" && rank === track.rank).length };
    });
    const before = await heading();
    assert.ok(!before.isFolded && before.lanes > 0);
    await tab.tab.mouse.click(before.x, before.y);
    await tab.settle();
    const folded = await heading();
    assert.deepEqual([folded.isFolded, folded.lanes], [true, 0]);
    assert.match((await tab.state()).ranks, /^\d$/);
    await tab.tab.mouse.click(folded.x, folded.y);
    await tab.settle();
    assert.equal((await heading()).isFolded, false);
    const task = await tab.run(async (rank) => {
        const { app } = globalThis.otter;
        await app.tasks.load();
        app.store.set({ ranks: String(rank) });
        const all = Array.from({ length: app.tasks.rows() }, (_, row) => app.tasks.taskAt(row));
        const one = all.find(({ id, lane }) => id && app.index.lanes[lane]?.rank === rank);
        app.store.set({ select: `task:${one.task}` });
        return one;
    }, before.rank);
    await tab.settle();
    await tab.settle();
    assert.equal((await heading()).isFolded, false, "the rank of a selected task is open");
    assert.equal((await tab.state()).rank, before.rank, "and is the chosen one");
    assert.match(await tab.text("#details"), new RegExp(`task ${task.id}`));
    assert.match(await tab.text("#details"), /ran onrank \d, /);
}

export async function many_ranks_are_folded_and_in_order(tab, folder, isEvery) {
    await tab.open(`${folder}/ranks.html`, "tab=timeline");
    const order = () => tab.run(() => globalThis.otter.timeline.frame().tracks.filter(({ kind }) => kind === "rank")
        .map(({ rank, isFolded }) => [globalThis.otter.app.index.ranks[rank].rank, isFolded]));
    const found = await order();
    assert.equal(found.length, 64);
    assert.deepEqual(found.map(([rank]) => rank), [...found.keys()]);
    assert.equal(found.filter(([, isFolded]) => !isFolded).length, 1, "the chosen rank alone is open");
    await tab.tab.select('select[aria-label="Order of ranks"]', "outliers");
    await tab.settle();
    const first = await tab.run(() => Number(document.querySelector(".ranks tbody tr").dataset.rank));
    assert.equal((await order())[0][0], first);
    for (const picture of TABS.filter((_, i) => isEvery || i % 3 === 0)) {
        await tab.open(`${folder}/ranks.html`, `tab=${picture}&rank=40`);
        assert.equal(await selected(tab), `tab-${picture}`);
        assert.equal(await tab.run(() => document.querySelector(".note").hidden), true);
    }
}

export async function the_page_says_which_ranks_it_lacks(tab, folder) {
    await tab.open(`${folder}/few.html`);
    const { ranks, left } = await tab.run(() => ({ ranks: globalThis.otter.app.index.ranks.length, left: globalThis.otter.app.index.job.left_out }));
    assert.ok(ranks > 0 && left > 0);
    const text = await tab.text(".job");
    assert.match(text, new RegExp(`${left} of ${ranks + left} ranks have no pictures`));
    assert.equal(await tab.run(() => document.querySelectorAll(".ranks tbody tr").length), ranks + left);
}

export async function no_width_cuts_the_page_of_a_job(tab, folder, isEvery) {
    for (const [width, height] of isEvery ? [[1280, 800], [360, 640]] : [[360, 640]]) {
        await tab.tab.setViewport({ width, height });
        for (const name of TABS) {
            await tab.open(`${folder}/job.html`, `tab=${name}`);
            const wide = await tab.run(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${name} is ${wide} pixels too wide at ${width}`);
        }
    }
}

export async function each_rank_has_one_line(tab, folder) {
    await tab.tab.setViewport({ width: 900, height: 800 });
    for (const name of ["job", "ranks"]) {
        await tab.open(`${folder}/${name}.html`);
        const heights = await tab.run(() => [...document.querySelectorAll(".ranks tbody tr")].map((row) => row.offsetHeight));
        assert.ok(heights.length >= 3 && Math.max(...heights) <= 32, `${name}: ${Math.max(...heights)} pixels`);
    }
}

export async function the_findings_are_those_of_the_command(tab, folder) {
    const report = JSON.parse(readFileSync(`${folder}/job.json`, "utf8"));
    await tab.open(`${folder}/job.html`);
    const shown = await tab.run(() => [...document.querySelectorAll("#report .finding")].map((card) => ({
        kind: card.querySelector("b").textContent, texts: [...card.querySelectorAll("p")].map((one) => one.textContent),
        link: card.querySelectorAll("a").length - 1 })));
    assert.ok(report.findings.length > 0);
    assert.deepEqual(shown.map(({ kind }) => kind), report.findings.map(({ kind }) => kind));
    for (const [i, { texts, link }] of shown.entries()) {
        const { text, worst_rank: worst } = report.findings[i];
        assert.ok(texts.includes(text) && texts.at(-1).endsWith(`most in rank ${worst}`), texts.join("|"));
        await tab.run((n, last) => document.querySelectorAll("#report .finding")[n].querySelectorAll("a")[last].click(), i, link);
        await tab.tab.waitForFunction((rank) => globalThis.otter.app.store.get().rank === rank, {}, worst);
        await tab.open(`${folder}/job.html`);
    }
    const heading = await tab.run(() => document.querySelector("#report h2 small").textContent);
    assert.equal(heading.endsWith(", its start last"), report.findings.some(({ kind }) => kind === "MPI job"), heading);
    const inTab = await tab.run(() => document.querySelector("#panel-job").textContent);
    assert.ok(report.findings.every(({ text }) => !inTab.includes(text)), "a finding is in one place");
}

export async function the_table_of_ranks_fits(tab, folder) {
    await tab.tab.setViewport({ width: 1000, height: 800 });
    await tab.open(`${folder}/job.html`);
    const wide = await tab.run(() => [...document.querySelectorAll(".job .table")].map((one) => one.scrollWidth - one.clientWidth));
    assert.deepEqual(wide, [0, 0]);
    const columns = await tab.run(() => {
        document.querySelector(".ranks td:nth-last-child(2)").textContent = "imbalance ".repeat(9);
        return document.querySelector(".ranks").parentElement.scrollWidth - document.querySelector(".ranks").parentElement.clientWidth;
    });
    assert.equal(columns, 0, "a long finding is cut");
}
