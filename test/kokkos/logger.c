// A Kokkos tool that writes one line per hook into the file KOKKOS_LOGGER_FILE: process, thread,
// hook, arguments, separated by tabs. It shares no code with the connector, so its output can
// verify the connector's records.
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 32768 };

struct number {
    char text[24];
};

struct space {
    char name[64];
};

struct settings {
    bool requires_global_fencing;
    bool padding[255];
};

struct interface {
    void (*functions[32])(void);
};

static int file = -1;
static _Atomic uint64_t last_kernel = UINT64_C(1) << 40;
static _Atomic uint32_t last_section = 1000;

__attribute__((constructor)) static void open_file(void)
{
    const char *path = getenv("KOKKOS_LOGGER_FILE");
    if (path) {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
}

static struct number decimal(uint64_t value)
{
    struct number number;
    snprintf(number.text, sizeof(number.text), "%" PRIu64, value);
    return number;
}

static struct number hexadecimal(uint64_t value)
{
    struct number number;
    snprintf(number.text, sizeof(number.text), "0x%" PRIx64, value);
    return number;
}

// Kokkos leaves the last byte of a name undefined.
static struct space space_name(struct space space)
{
    space.name[63] = '\0';
    return space;
}

// Replaces tabs and ends of lines by \t and \n, so that a record remains one line.
static size_t append(char *line, size_t used, const char *text)
{
    static const char special[] = "\t\n\\", names[] = "tn\\";
    for (; *text && used + 16 < LINE; text++) {
        const char *found = strchr(special, *text);
        if (found) {
            line[used++] = '\\';
        }
        line[used++] = found ? names[found - special] : *text;
    }
    return used;
}

// Writes the hook's name and its arguments, up to NULL, by one write, so that lines of several
// threads do not mix.
static void put(const char *hook, ...)
{
    char line[LINE];
    va_list arguments;
    size_t used = append(line, 0, decimal((uint64_t)getpid()).text);
    line[used++] = '\t';
    used = append(line, used, decimal((uint64_t)gettid()).text);
    line[used++] = '\t';
    used = append(line, used, hook);
    va_start(arguments, hook);
    for (const char *text = va_arg(arguments, const char *); text;
         text = va_arg(arguments, const char *)) {
        line[used] = '\t';
        used = append(line, used + 1, text);
    }
    va_end(arguments);
    line[used++] = '\n';
    if (file >= 0 && write(file, line, used) < 0) {
        abort();
    }
}

// ---- the tool

void kokkosp_init_library(int sequence, uint64_t version, uint32_t n_devices, void *devices);
void kokkosp_init_library(int sequence, uint64_t version, uint32_t n_devices, void *devices)
{
    put("init_library", decimal((uint64_t)sequence).text, decimal(version).text, NULL);
}

void kokkosp_finalize_library(void);
void kokkosp_finalize_library(void)
{
    put("finalize_library", NULL);
}

void kokkosp_parse_args(int argc, char **argv);
void kokkosp_parse_args(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        put("parse_args", decimal((uint64_t)i).text, argv[i], NULL);
    }
}

void kokkosp_print_help(char *program);
void kokkosp_print_help(char *program)
{
    put("print_help", NULL);
}

void kokkosp_request_tool_settings(uint32_t n, struct settings *settings);
void kokkosp_request_tool_settings(uint32_t n, struct settings *settings)
{
    settings->requires_global_fencing = false;
    put("request_tool_settings", decimal(n).text, NULL);
}

void kokkosp_provide_tool_programming_interface(uint32_t n, struct interface functions);
void kokkosp_provide_tool_programming_interface(uint32_t n, struct interface functions)
{
    put("provide_tool_programming_interface", decimal(n).text, NULL);
}

void kokkosp_declare_metadata(const char *key, const char *value);
void kokkosp_declare_metadata(const char *key, const char *value)
{
    put("declare_metadata", key, value, NULL);
}

// ---- events with a start and an end

#define BEGIN_AND_END(hook)                                                                        \
    void kokkosp_begin_##hook(const char *name, uint32_t device, uint64_t *id);                    \
    void kokkosp_begin_##hook(const char *name, uint32_t device, uint64_t *id)                     \
    {                                                                                              \
        *id = ++last_kernel;                                                                       \
        put("begin_" #hook, name, hexadecimal(device).text, decimal(*id).text, NULL);              \
    }                                                                                              \
    void kokkosp_end_##hook(uint64_t id);                                                          \
    void kokkosp_end_##hook(uint64_t id)                                                           \
    {                                                                                              \
        put("end_" #hook, decimal(id).text, NULL);                                                 \
    }

BEGIN_AND_END(parallel_for)
BEGIN_AND_END(parallel_reduce)
BEGIN_AND_END(parallel_scan)
BEGIN_AND_END(fence)

void kokkosp_push_profile_region(const char *name);
void kokkosp_push_profile_region(const char *name)
{
    put("push_profile_region", name, NULL);
}

void kokkosp_pop_profile_region(void);
void kokkosp_pop_profile_region(void)
{
    put("pop_profile_region", NULL);
}

void kokkosp_create_profile_section(const char *name, uint32_t *section);
void kokkosp_create_profile_section(const char *name, uint32_t *section)
{
    *section = ++last_section;
    put("create_profile_section", name, decimal(*section).text, NULL);
}

#define SECTION(hook)                                                                              \
    void kokkosp_##hook##_profile_section(uint32_t section);                                       \
    void kokkosp_##hook##_profile_section(uint32_t section)                                        \
    {                                                                                              \
        put(#hook "_profile_section", decimal(section).text, NULL);                                \
    }

SECTION(start)
SECTION(stop)
SECTION(destroy)

void kokkosp_profile_event(const char *name);
void kokkosp_profile_event(const char *name)
{
    put("profile_event", name, NULL);
}

// ---- data

#define DATA(hook)                                                                                 \
    void kokkosp_##hook##_data(struct space space, const char *label, const void *address,         \
                               uint64_t size);                                                     \
    void kokkosp_##hook##_data(struct space space, const char *label, const void *address,         \
                               uint64_t size)                                                      \
    {                                                                                              \
        put(#hook "_data", space_name(space).name, label, hexadecimal((uintptr_t)address).text,    \
            decimal(size).text, NULL);                                                             \
    }

DATA(allocate)
DATA(deallocate)

void kokkosp_begin_deep_copy(struct space to_space, const char *to_label, const void *to,
                             struct space from_space, const char *from_label, const void *from,
                             uint64_t size);
void kokkosp_begin_deep_copy(struct space to_space, const char *to_label, const void *to,
                             struct space from_space, const char *from_label, const void *from,
                             uint64_t size)
{
    put("begin_deep_copy", space_name(to_space).name, to_label, space_name(from_space).name,
        from_label, decimal(size).text, hexadecimal((uintptr_t)to).text,
        hexadecimal((uintptr_t)from).text, NULL);
}

void kokkosp_end_deep_copy(void);
void kokkosp_end_deep_copy(void)
{
    put("end_deep_copy", NULL);
}

#define DUAL_VIEW(hook)                                                                            \
    void kokkosp_dual_view_##hook(const char *label, const void *address, bool device);            \
    void kokkosp_dual_view_##hook(const char *label, const void *address, bool device)             \
    {                                                                                              \
        put("dual_view_" #hook, label, device ? "device" : "host",                                 \
            hexadecimal((uintptr_t)address).text, NULL);                                           \
    }

DUAL_VIEW(sync)
DUAL_VIEW(modify)
