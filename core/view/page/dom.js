// Elements of the page. Text from the program becomes a text node, never markup.

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * Makes an element. A property that begins with "on" is a listener; `class`, `data-*`, `aria-*` and
 * the like are attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    setProperties(made, properties);
    append(made, children);
    return made;
}

/**
 * Makes an element of SVG.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(name, properties = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    setProperties(made, properties);
    append(made, children);
    return made;
}

/**
 * @param {Element} made
 * @param {Record<string, any>} properties
 */
function setProperties(made, properties) {
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null) {
            continue;
        }
        if (key.startsWith("aria-")) {
            made.setAttribute(key, String(value));
        } else if (value === false) {
            continue;
        } else if (key.startsWith("on")) {
            made.addEventListener(key.slice(2), value);
        } else {
            made.setAttribute(key, value === true ? "" : String(value));
        }
    }
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) {
            parent.append(typeof child === "number" ? String(child) : child);
        }
    }
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
    parent.replaceChildren();
    append(parent, children);
}

/**
 * The element of index.html with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) {
        throw new Error(`the page has no element ${id}`);
    }
    return found;
}
