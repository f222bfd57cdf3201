// Formats text for the user, with each argument made visible.
#include "base/text/print.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/visible.h"

enum { MAX_NUMBER = 400 }; // the longest double has 309 digits before the decimal point

struct printing {
    const struct otter_sink *sink;
    va_list arguments;
};

struct conversion {
    char flags[8];
    bool is_left;
    int width, precision; // precision < 0: not given
    char length;          // 'L' for ll; 0 for int
    char kind;
};

static void put(const struct printing *printing, const char *bytes, size_t n)
{
    if (n > 0) {
        printing->sink->put(printing->sink->to, bytes, n);
    }
}

static void put_blanks(const struct printing *printing, size_t n)
{
    for (; n > 0; n--) {
        put(printing, " ", 1);
    }
}

// ---- text

static const char *end_of(const char *text, const struct conversion *conversion)
{
    return text + (conversion->precision < 0 ? strlen(text)
                                             : strnlen(text, (size_t)conversion->precision));
}

static size_t columns_of(const char *text, const char *end)
{
    size_t n = 0;
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        n += visible.n_columns;
    }
    return n;
}

static void put_text(const struct printing *printing, const struct conversion *conversion,
                     const char *text)
{
    text = text ? text : "(null)";
    const char *end = end_of(text, conversion);
    size_t width = (size_t)conversion->width;
    size_t used = width ? columns_of(text, end) : 0;
    size_t padding = width > used ? width - used : 0;
    put_blanks(printing, conversion->is_left ? 0 : padding);
    for (struct otter_visible visible; otter_visible_next(&text, end, &visible);) {
        put(printing, visible.bytes, visible.n_bytes);
    }
    put_blanks(printing, conversion->is_left ? padding : 0);
}

// ---- numbers

static intmax_t next_signed(struct printing *printing, char length)
{
    switch (length) {
    case 'l': return va_arg(printing->arguments, long);
    case 'L': return va_arg(printing->arguments, long long);
    case 'z': return va_arg(printing->arguments, ssize_t);
    case 'j': return va_arg(printing->arguments, intmax_t);
    default: return va_arg(printing->arguments, int);
    }
}

static uintmax_t next_unsigned(struct printing *printing, char length)
{
    switch (length) {
    case 'l': return va_arg(printing->arguments, unsigned long);
    case 'L': return va_arg(printing->arguments, unsigned long long);
    case 'z': return va_arg(printing->arguments, size_t);
    case 'j': return va_arg(printing->arguments, uintmax_t);
    default: return va_arg(printing->arguments, unsigned);
    }
}

// Replaces the decimal separator of the program's locale with a point.
static void put_real(const struct printing *printing, char *text, int n)
{
    size_t length = n < 0 ? 0 : n < MAX_NUMBER ? (size_t)n : MAX_NUMBER - 1;
    char *sign = text + strspn(text, " +-0123456789");
    size_t n_sign = strcspn(sign, " +-0123456789");
    bool is_point = n_sign > 0 && !strchr(".einEIN", *sign);
    put(printing, text, is_point ? (size_t)(sign - text) : length);
    if (is_point) {
        put(printing, ".", 1);
        put(printing, sign + n_sign, length - (size_t)(sign + n_sign - text));
    }
}

static void put_number(struct printing *printing, const struct conversion *conversion)
{
    char format[24], text[MAX_NUMBER];
    bool is_real = strchr("feg", conversion->kind), is_signed = strchr("di", conversion->kind);
    int width = conversion->width < MAX_NUMBER ? conversion->width : MAX_NUMBER - 1, n;
    width = conversion->is_left ? -width : width;
    snprintf(format, sizeof format, "%%%s*.*%s%c", conversion->flags, is_real ? "" : "j",
             conversion->kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (is_real) {
        double value = va_arg(printing->arguments, double);
        n = snprintf(text, sizeof text, format, width, conversion->precision, value);
        put_real(printing, text, n);
        return;
    }
    if (is_signed) {
        intmax_t value = next_signed(printing, conversion->length);
        n = snprintf(text, sizeof text, format, width, conversion->precision, value);
    } else {
        uintmax_t value = next_unsigned(printing, conversion->length);
        n = snprintf(text, sizeof text, format, width, conversion->precision, value);
    }
#pragma GCC diagnostic pop
    put(printing, text, n < 0 ? 0 : n < MAX_NUMBER ? (size_t)n : MAX_NUMBER - 1);
}

// ---- formats

static int read_number(struct printing *printing, const char **at)
{
    if (**at == '*') {
        (*at)++;
        return va_arg(printing->arguments, int);
    }
    int n = 0;
    for (; **at >= '0' && **at <= '9' && n < 100000; (*at)++) {
        n = 10 * n + (**at - '0');
    }
    return n;
}

// Reads a conversion after its percent sign, and the arguments for `*` as width and precision.
// Advances *at.
static struct conversion read_conversion(struct printing *printing, const char **at)
{
    struct conversion conversion = {.precision = -1};
    size_t n = strspn(*at, "-+ #0");
    snprintf(conversion.flags, sizeof conversion.flags, "%.*s", (int)n, *at);
    *at += n;
    conversion.is_left = strchr(conversion.flags, '-') != NULL;
    conversion.width = read_number(printing, at);
    if (conversion.width < 0) {
        conversion.is_left = true;
        conversion.width = -conversion.width;
    }
    if (**at == '.') {
        (*at)++;
        conversion.precision = read_number(printing, at);
    }
    for (; **at && strchr("lzj", **at); (*at)++) {
        conversion.length = **at == 'l' && conversion.length == 'l' ? 'L' : **at;
    }
    conversion.kind = **at;
    *at += conversion.kind != '\0';
    return conversion;
}

static bool convert(struct printing *printing, const struct conversion *conversion)
{
    char letter[2] = "";
    switch (conversion->kind) {
    case '%': put(printing, "%", 1); return true;
    case 's':
        put_text(printing, conversion, va_arg(printing->arguments, const char *));
        return true;
    case 'c':
        letter[0] = (char)va_arg(printing->arguments, int);
        put_text(printing, conversion, letter);
        return true;
    default: break;
    }
    if (conversion->kind == '\0' || !strchr("diuxXofeg", conversion->kind)) {
        return false;
    }
    put_number(printing, conversion);
    return true;
}

void otter_vprint_to(const struct otter_sink *sink, const char *format, va_list arguments)
{
    struct printing printing = {.sink = sink};
    va_copy(printing.arguments, arguments);
    for (bool goes_on = true; goes_on && *format;) {
        size_t n = strcspn(format, "%");
        put(&printing, format, n);
        format += n;
        if (*format == '%') {
            format++;
            struct conversion conversion = read_conversion(&printing, &format);
            // After an unknown conversion, the types of the remaining arguments are unknown.
            goes_on = convert(&printing, &conversion);
        }
    }
    va_end(printing.arguments);
}

static void put_to_file(void *to, const char *bytes, size_t n)
{
    fwrite(bytes, 1, n, to);
}

void otter_vprint(FILE *out, const char *format, va_list arguments)
{
    const struct otter_sink sink = {put_to_file, out};
    otter_vprint_to(&sink, format, arguments);
}

void otter_print(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    otter_vprint(out, format, arguments);
    va_end(arguments);
}

const char *otter_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}
