// The tables of the report: sorted, filtered, linked with the pictures.

import { element, fill } from "./dom.js";
import { bytes, count, percent, plain, ratio, seconds } from "./format.js";
import { iconOf } from "./icons.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {Record<string, string | number>} Row */

const MAX_ROWS = 300;
const PADDING = 14; // pixels beside a table

/**
 * The column's heading in `otter report`.
 * @param {App} app
 * @param {string} table
 * @param {string} name of a column
 */
function headOf(app, table, name) {
    const head = app.index.report.heads?.[table]?.[name];
    return head ? plain(head) : name.replace(/_s$/, "").replace(/_percent$/, " %").replace(/_bytes$/, "")
        .replace(/_ratio$/, "").replace(/_/g, " ");
}

/**
 * @param {string} name of a column
 * @param {string | number | undefined} value
 */
function textOf(name, value) {
    if (typeof value !== "number") {
        return plain(String(value ?? ""));
    }
    if (name.endsWith("_s")) {
        return seconds(value);
    }
    if (name.endsWith("_percent")) {
        return percent(value);
    }
    if (name.endsWith("bytes")) {
        return bytes(value);
    }
    return Number.isInteger(value) ? count(value) : ratio(value);
}

/**
 * The rows that contain the text in any column.
 * @param {Row[]} rows
 * @param {string} filter
 */
export function filtered(rows, filter) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => {
        const text = Object.values(row).filter((value) => typeof value === "string").join(" ")
            .toLowerCase();
        return words.every((word) => text.includes(word));
    });
}

/**
 * @param {Row[]} rows
 * @param {string} sort "COLUMN": descending; "-COLUMN": ascending
 */
export function sorted(rows, sort) {
    if (!sort) {
        return rows;
    }
    const name = sort.replace(/^-/, "");
    const sign = sort.startsWith("-") ? 1 : -1;
    return [...rows].sort((a, b) => {
        const [x, y] = [a[name], b[name]];
        return typeof x === "number" && typeof y === "number" ? sign * (x - y)
            : -sign * String(x).localeCompare(String(y));
    });
}

/** @param {unknown} value */
function isTable(value) {
    return Array.isArray(value) && value.length > 0 && typeof value[0] === "object";
}

/** @param {App} app */
export function createTables(app) {
    const { store } = app;
    /** @type {Record<string, Row[]>} */
    const tables = Object.fromEntries(Object.entries(app.index.report.tables ?? {})
        .filter(([, rows]) => isTable(rows)));
    const names = Object.keys(tables);
    const choice = element("div", { class: "choice", role: "group", "aria-label": "Table" });
    const input = element("input", { type: "search", placeholder: "Filter", spellcheck: "false",
        "aria-label": "Filter rows by text",
        oninput: () => store.set({ filter: input.value }) });
    const note = element("span", { class: "soft", role: "status" });
    const copy = element("button", { type: "button", onclick: copyCsv }, "Copy as CSV");
    const body = element("div", { class: "table", tabindex: 0, "aria-label": "Rows" });
    const boxes = element("div", { class: "menu-items" });
    const menu = element("details", { class: "menu" }, element("summary", {}, "Columns"), boxes);
    const root = element("div", { class: "graph" },
        element("div", { class: "graph-bar" }, choice, input, menu, copy, note), body);
    let shown = MAX_ROWS;

    function present() {
        const { table } = store.get();
        return names.includes(table) ? table : names[0] ?? "";
    }

    function rowsNow() {
        const { filter, sort } = store.get();
        return sorted(filtered(tables[present()] ?? [], filter), sort);
    }

    async function copyCsv() {
        const rows = rowsNow();
        const columns = Object.keys(rows[0] ?? {});
        const quoted = (/** @type {unknown} */ value) => (typeof value === "number" ? String(value)
            : `"${String(value ?? "").replace(/"/g, '""')}"`);
        const text = [columns.join(","), ...rows.map((row) => columns.map((name) => quoted(
            row[name])).join(","))].join("\n");
        try {
            await navigator.clipboard.writeText(`${text}\n`);
            note.textContent = `${count(rows.length)} rows copied.`;
        } catch {
            note.textContent = "The browser does not allow copying.";
        }
    }

    /** @param {string} name */
    function headCell(name) {
        const { sort } = store.get();
        const direction = sort === name ? "descending" : sort === `-${name}` ? "ascending" : "none";
        return element("th", { scope: "col", "aria-sort": direction },
            element("button", { type: "button", "data-column": name, onclick: () => store.set({
                sort: sort === name ? `-${name}` : name }) }, headOf(app, present(), name),
            direction === "none" ? null : element("span", { class: "arrow", "aria-hidden": "true" },
                direction === "descending" ? "\u25be" : "\u25b4")));
    }

    /**
     * What a click on the row selects: a label or a thread.
     * @param {Row} row
     */
    function targetOf(row) {
        const text = Object.values(row).find((value) => typeof value === "string");
        const label = app.labelOf(String(text));
        if (label >= 0) {
            return { label, go: () => store.set({ select: `label:${label}`, range: "" }) };
        }
        const lane = app.index.lanes.findIndex((one) => one.name === text
            && (app.only < 0 || (one.rank ?? 0) === app.only));
        return lane < 0 ? null : { label: -1, go: () => store.set({ tab: "timeline", select: "",
            range: `0:${app.end}:${lane}` }) };
    }

    /**
     * The columns that are shown: the chosen ones, or as many as fit.
     * @param {string[]} columns of the table
     * @param {number[]} widths in pixels; none: not measured yet
     */
    function shownOf(columns, widths) {
        const { columns: chosen, sort } = store.get();
        if (chosen) {
            const names = new Set(chosen.split(","));
            return columns.filter((name, i) => i === 0 || chosen === "all" || names.has(name));
        }
        const sorted = sort.replace(/^-/, "");
        let room = body.clientWidth - 2 * PADDING - (widths[columns.indexOf(sorted)] ?? 0);
        return columns.filter((name, i) => {
            room -= name === sorted ? 0 : widths[i] ?? 0;
            return i === 0 || name === sorted || room >= 0;
        });
    }

    /**
     * @param {string[]} columns
     * @param {string[]} visible
     */
    function showMenu(columns, visible) {
        const hidden = columns.length - visible.length;
        fill(menu.firstElementChild ?? menu, hidden > 0 ? `Columns (${hidden} hidden)` : "Columns");
        fill(boxes, ...columns.slice(1).map((name) => element("label", {}, element("input", {
            type: "checkbox", checked: visible.includes(name), "data-shows": name,
            onchange: (/** @type {Event} */ event) => {
                const { checked } = /** @type {HTMLInputElement} */ (event.target);
                store.set({ columns: columns.filter((one) => (one === name ? checked
                    : visible.includes(one))).join(",") });
            } }), headOf(app, present(), name))),
        element("button", { type: "button", onclick: () => store.set({ columns: "all" }) }, "All"),
        element("button", { type: "button", onclick: () => store.set({ columns: "" }) },
            "Those that fit"));
    }

    /**
     * @param {Row} row
     * @param {string[]} columns
     * @param {Record<string, number>} most by column
     * @param {string} barred the column whose values are also drawn as bars
     */
    function rowElement(row, columns, most, barred) {
        const target = targetOf(row);
        return element("tr", { "data-label": target && target.label >= 0 ? target.label : null },
            ...columns.map((name, i) => {
                const value = row[name];
                const text = textOf(name, value);
                if (i === 0) {
                    return element("th", { scope: "row", title: text }, target
                        ? element("button", { type: "button", class: "jump", onclick: target.go },
                            target.label >= 0 ? iconOf(app, target.label) : null, text) : text);
                }
                const share = typeof value === "number" && name === barred && most[name] > 0
                    ? value / most[name] * 100 : 0;
                return element("td", { class: typeof value === "number" ? "number" : null,
                    style: share > 0 ? `--share: ${share.toFixed(1)}%` : null }, text);
            }));
    }

    function show() {
        const name = present();
        const rows = rowsNow();
        const all = tables[name] ?? [];
        const columns = Object.keys(all[0] ?? {});
        const most = Object.fromEntries(columns.map((column) => [column,
            all.reduce((value, row) => Math.max(value, Number(row[column]) || 0), 0)]));
        const barred = store.get().sort.replace(/^-/, "") || columns.find((column) =>
            column.endsWith("_s")) || "";
        fill(choice, ...names.map((one) => element("button", { type: "button",
            "aria-pressed": one === name, onclick: () => {
                shown = MAX_ROWS;
                store.set({ table: one, sort: "", columns: "" });
            } }, one.replace(/_/g, " "))));
        if (input.value !== store.get().filter) {
            input.value = store.get().filter;
        }
        note.textContent = rows.length === all.length
            ? `${count(rows.length)} ${rows.length === 1 ? "row" : "rows"}`
            : `${count(rows.length)} of ${count(all.length)} rows`;
        const leftOut = app.index.report.left_out_steps?.[name] ?? 0;
        note.textContent += leftOut ? `, ${count(leftOut)} shorter steps left out (--size)` : "";
        let visible = shownOf(columns, []);
        fillBody(rows, visible, most, barred);
        if (!store.get().columns && body.scrollWidth > body.clientWidth) {
            const widths = [...body.querySelectorAll("thead th")].map((cell) => (
                cell.getBoundingClientRect().width));
            visible = shownOf(columns, widths);
            fillBody(rows, visible, most, barred);
        }
        showMenu(columns, visible);
        mark();
    }

    /**
     * @param {Row[]} rows
     * @param {string[]} columns
     * @param {Record<string, number>} most by column
     * @param {string} barred
     */
    function fillBody(rows, columns, most, barred) {
        fill(body, names.length === 0 ? element("p", { class: "soft" }, "The report has no tables.")
            : element("table", {},
                element("thead", {}, element("tr", {}, ...columns.map(headCell))),
                element("tbody", {}, ...rows.slice(0, shown).map((row) => rowElement(row, columns,
                    most, barred)))),
        rows.length > shown ? element("button", { type: "button", onclick: () => {
            shown *= 4;
            show();
        } }, `Show more of ${count(rows.length)} rows`) : null);
    }

    function mark() {
        for (const row of body.querySelectorAll("tr[data-label]")) {
            const { select } = store.get();
            row.classList.toggle("on", /^label:/.test(select)
                && String(app.same[Number(select.slice(6))]) === row.getAttribute("data-label"));
        }
    }

    store.listen((_, changed) => {
        if (changed.has("table") || changed.has("sort") || changed.has("filter")
            || changed.has("columns")) {
            show();
        } else if (changed.has("select")) {
            mark();
        }
    });
    return { root, update: show };
}
