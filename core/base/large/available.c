// Reads from /proc and the control groups how much memory this process may still use.
#include "base/large/available.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"

enum { MAX_FILE = 16384, MAX_PATH = 4096 };

static uint64_t smaller(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

// Returns how much of `limit` is left, or 0.
static uint64_t left_of(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 0;
}

// Sets *number to the number that follows `key` at the start of a line; for key "", at the start of
// the text.
static bool find_number(const char *text, const char *key, uint64_t *number)
{
    for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
        size_t length = strlen(key);
        char *end;
        if (strncmp(line, key, length) == 0) {
            *number = strtoull(line + length, &end, 10);
            return end > line + length;
        }
    }
    return false;
}

static bool read_number(const char *folder, const char *file, const char *key, uint64_t *number)
{
    char path[MAX_PATH], text[MAX_FILE];
    int length = snprintf(path, sizeof path, "%s/%s", folder, file);
    return length < (int)sizeof path && otter_file_read_text(path, text, sizeof text) > 0 &&
           find_number(text, key, number);
}

struct controller {
    const char *mounted; // mount point below the root
    const char *limit, *usage;
    const char *inactive, *active; // keys in memory.stat: pages of files, which the kernel can free
};

static const struct controller version_1 = {"sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                            "memory.usage_in_bytes", "total_inactive_file ",
                                            "total_active_file "};
static const struct controller version_2 = {"sys/fs/cgroup", "memory.max", "memory.current",
                                            "inactive_file ", "active_file "};

// Returns the memory left in one group. The limit file of a group without a limit has no number.
static uint64_t left_in_group(const struct controller *controller, const char *folder)
{
    uint64_t limit, usage, inactive = 0, active = 0;
    if (!read_number(folder, controller->limit, "", &limit) ||
        !read_number(folder, controller->usage, "", &usage)) {
        return UINT64_MAX;
    }
    (void)read_number(folder, "memory.stat", controller->inactive, &inactive);
    (void)read_number(folder, "memory.stat", controller->active, &active);
    return left_of(limit, left_of(usage, inactive + active));
}

// Returns the least memory left in the group at `path` and its ancestors. In a container, the path
// may start outside the mounted hierarchy; those groups have no files.
static uint64_t left_in_groups(const char *root, const struct controller *controller,
                               const char *path)
{
    char folder[MAX_PATH];
    uint64_t left = UINT64_MAX;
    int length = snprintf(folder, sizeof folder, "%s/%s%s", root, controller->mounted, path);
    size_t top = strlen(root) + 1 + strlen(controller->mounted);
    if (length < 0 || length >= (int)sizeof folder) {
        return UINT64_MAX;
    }
    for (;;) {
        left = smaller(left, left_in_group(controller, folder));
        char *slash = strrchr(folder, '/');
        if (slash < folder + top) {
            return left;
        }
        *slash = '\0';
    }
}

// A line of /proc/self/cgroup is "4:memory:/path" in version 1, "0::/path" in version 2.
static uint64_t left_by_controllers(const char *root, char *lines)
{
    uint64_t left = UINT64_MAX;
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path) {
            continue;
        }
        *path++ = '\0';
        path = strcmp(path, "/") == 0 ? path + 1 : path;
        bool is_memory = strstr(names, "memory") != NULL;
        if (is_memory || names[1] == '\0') {
            left = smaller(left, left_in_groups(root, is_memory ? &version_1 : &version_2, path));
        }
    }
    return left;
}

uint64_t otter_available_below(const char *root)
{
    char path[MAX_PATH], lines[MAX_FILE];
    uint64_t kib, left = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc", root);
    if (read_number(path, "meminfo", "MemAvailable:", &kib)) {
        left = kib * 1024;
    }
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    if (otter_file_read_text(path, lines, sizeof lines) > 0) {
        left = smaller(left, left_by_controllers(root, lines));
    }
    return left;
}

static uint64_t left_by_limit(int resource, const char *key)
{
    struct rlimit limit;
    uint64_t kib = 0;
    if (getrlimit(resource, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY) {
        return UINT64_MAX;
    }
    (void)read_number("/proc/self", "status", key, &kib);
    return left_of(limit.rlim_cur, kib * 1024);
}

uint64_t otter_available_data(void)
{
    return left_by_limit(RLIMIT_DATA, "VmData:");
}

uint64_t otter_available_memory(void)
{
    return smaller(otter_available_data(), otter_available_below(""));
}

uint64_t otter_available_addresses(void)
{
    return left_by_limit(RLIMIT_AS, "VmSize:");
}
