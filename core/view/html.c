// Prints the page: the parts of its code, and the data between them.
#include <inttypes.h>
#include <string.h>

#include "base/print.h"
#include "base/visible.h"
#include "view/page.h"

static void put(FILE *out, const char *text)
{
    fwrite(text, 1, strlen(text), out);
}

static const char *reference_of(char letter)
{
    switch (letter) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

// Prints foreign text as content of an element; lines stay lines.
static void put_text(FILE *out, const char *text)
{
    const char *end = text + strlen(text);
    struct otter_visible visible;
    while (text < end) {
        if (*text == '\n') {
            put(out, "\n");
            text++;
            continue;
        }
        otter_visible_next(&text, end, &visible);
        const char *reference = visible.n_bytes == 1 ? reference_of(visible.bytes[0]) : NULL;
        if (reference) {
            put(out, reference);
        } else {
            fwrite(visible.bytes, 1, visible.n_bytes, out);
        }
    }
}

static void put_chunks(FILE *out, const struct otter_chunks *chunks)
{
    for (uint32_t i = 0; i < chunks->n; i++) {
        otter_print(out, "<script type=\"application/octet-stream\" id=\"otter-chunk-%u\">",
                    (unsigned)i);
        otter_chunk_print(out, &chunks->items[i]);
        put(out, "</script>\n");
    }
}

void otter_html_print(FILE *out, const struct otter_page *page, const char *index)
{
    put(out, otter_view_page_head);
    put_text(out, otter_page_title(page));
    put(out, otter_view_page_report);
    put_text(out, page->report_text);
    put(out, otter_view_page_data);
    put(out, "<script type=\"application/json\" id=\"otter-index\">");
    put(out, index);
    put(out, "</script>\n");
    put_chunks(out, &page->chunks);
    put(out, otter_view_page_tail);
}
