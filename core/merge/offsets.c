// Reads the offsets of hosts from a file of ovnisync (clock-offsets.txt).
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "merge/clocks.h"
#include "trace/complaint.h"

static const double largest_ns = 1e18;

static bool has_host(const struct otter_host_offsets *offsets, const char *host)
{
    for (uint32_t i = 0; i < offsets->n; i++) {
        if (strcmp(offsets->items[i].host, host) == 0) {
            return true;
        }
    }
    return false;
}

static enum otter_status add_line(struct otter_host_offsets *offsets, const char *text,
                                  unsigned line, const char *path,
                                  struct otter_complaint *complaint)
{
    struct otter_host_offset offset = {.offset_ns = 0};
    double median, mean;
    if (sscanf(text, "%*d %255s %lf %lf %lf", offset.host, &median, &mean, &offset.deviation_ns) !=
            4 ||
        !(fabs(median) < largest_ns) ||
        !(offset.deviation_ns >= 0 && offset.deviation_ns < largest_ns)) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s', line %u: expected 'rank host median mean deviation'", path,
                              line);
    }
    if (has_host(offsets, offset.host)) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s', line %u: a second line for host '%s'", path, line,
                              offset.host);
    }
    offset.offset_ns = (int64_t)median;
    OTTER_VECTOR_APPEND(offsets, offset);
    return OTTER_OK;
}

enum otter_status otter_host_offsets_read(struct otter_host_offsets *offsets, const char *path,
                                          struct otter_complaint *complaint)
{
    char text[1024];
    FILE *file = fopen(path, "re");
    if (!file) {
        enum otter_status status = otter_status_from_errno(errno);
        return otter_complain(complaint, status, "cannot read the offsets '%s': %s", path,
                              strerror(errno));
    }
    enum otter_status status = OTTER_OK;
    for (unsigned line = 1; !status && fgets(text, sizeof text, file); line++) {
        bool is_heading = line == 1;
        if (!is_heading && text[strspn(text, " \t\r\n")] != '\0') {
            status = add_line(offsets, text, line, path, complaint);
        }
    }
    fclose(file);
    if (!status && offsets->n == 0) {
        status = otter_complain(complaint, OTTER_BAD_VALUE,
                                "'%s' has no offsets: it is not a file of ovnisync", path);
    }
    return status;
}
