// The light or dark theme, as chosen by the system or by the switch.

const KEY = "otter-theme";
const ORDER = ["auto", "light", "dark"];

/** @returns {string} */
function stored() {
    try {
        return localStorage.getItem(KEY) ?? "auto";
    } catch {
        return "auto"; // a browser may refuse to store data for a file
    }
}

/**
 * @param {HTMLElement} button steps through system, light, dark
 * @param {() => void} redraw
 */
export function startTheme(button, redraw) {
    let choice = ORDER.includes(stored()) ? stored() : "auto";
    const system = matchMedia("(prefers-color-scheme: dark)");

    function apply() {
        const isDark = choice === "dark" || (choice === "auto" && system.matches);
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        button.textContent = { auto: "\u25d0", light: "\u2600", dark: "\u263e" }[choice] ?? "";
        button.title = `Colours: ${choice === "auto" ? "as the system" : choice}`;
        button.setAttribute("aria-label", button.title);
        redraw();
    }

    button.addEventListener("click", () => {
        choice = ORDER[(ORDER.indexOf(choice) + 1) % ORDER.length];
        try {
            localStorage.setItem(KEY, choice);
        } catch {
            // not stored: the choice is lost when the page is closed
        }
        apply();
    });
    system.addEventListener("change", apply);
    apply();
}
