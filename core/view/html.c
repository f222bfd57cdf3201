// Prints a file: the parts of the page's code with the data in between.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "base/text/visible.h"
#include "view/page.h"

enum { SIZE_OF_ELEMENT = 80 };

// core/view/page has the sources of these parts.
extern const char otter_view_page_head[], otter_view_page_report[], otter_view_page_data[],
    otter_view_page_tail[];

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

// Prints foreign text as the content of an element, preserving lines.
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

void otter_html_begin(FILE *out, const char *title, const char *report_text)
{
    put(out, otter_view_page_head);
    put_text(out, title);
    put(out, otter_view_page_report);
    put_text(out, report_text);
    put(out, otter_view_page_data);
}

void otter_html_print_index(FILE *out, const char *index)
{
    put(out, "<script type=\"application/json\" id=\"otter-index\">");
    put(out, index);
    put(out, "</script>\n");
}

static void put_element(FILE *out, const char *name, uint32_t number,
                        const struct otter_chunk *chunk)
{
    otter_print(out, "<script type=\"application/octet-stream\" id=\"otter-%s-%" PRIu32 "\">", name,
                number);
    otter_chunk_print(out, chunk);
    put(out, "</script>\n");
}

void otter_html_print_chunks(FILE *out, const struct otter_chunks *chunks, uint32_t first)
{
    for (uint32_t i = 0; i < chunks->n; i++) {
        put_element(out, "chunk", first + i, &chunks->items[i]);
    }
}

void otter_html_print_rank(FILE *out, uint32_t rank, const char *index, uint64_t *size)
{
    struct otter_chunk chunk;
    otter_chunk_compress(&chunk, index, strlen(index));
    put_element(out, "rank", rank, &chunk);
    *size = (chunk.n_bytes + 2) / 3 * 4 + SIZE_OF_ELEMENT;
    free(chunk.bytes);
}

void otter_html_end(FILE *out)
{
    put(out, otter_view_page_tail);
}

uint64_t otter_html_fixed_size(void)
{
    return strlen(otter_view_page_head) + strlen(otter_view_page_report) +
           strlen(otter_view_page_data) + strlen(otter_view_page_tail);
}
