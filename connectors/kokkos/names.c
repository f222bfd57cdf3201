// Shortens the names of kernels without a label.
#include "names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 100 };

// Since Kokkos 4.5 an unnamed kernel has the name of its type as the compiler prints it (quirk
// 'mangled names').
static const uint64_t version_with_pretty_names = 20240906;

static _Atomic bool has_mangled_names = false;

typedef char *demangle_function(const char *name, char *room, size_t *size, int *status);

static _Atomic(demangle_function *) demangler;

// The demangler of the program's C++ library.
static demangle_function *find_demangler(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    demangle_function *function;
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

// Looks up the demangler before the first label, since dlsym() takes the loader's lock. A library's
// constructor holds that lock, and may wait for the thread that records the label.
void names_set_version(uint64_t interface_version)
{
    bool is_mangled = interface_version < version_with_pretty_names;
    atomic_store(&demangler, is_mangled ? find_demangler() : NULL);
    atomic_store(&has_mangled_names, is_mangled);
}

// "8 threads" is not a type, and "1D" does not mean a class D. A number followed by a lower-case
// word is also a label: "2nd", "5stage".
static bool may_be_type(const char *name)
{
    if (strpbrk(name, " \t\n") || strcmp(name, "1D") == 0) {
        return false;
    }
    if (*name == 'Z' || *name == 'N') {
        return true;
    }
    size_t n = strspn(name, "0123456789");
    return n > 0 && atoi(name) > 0 && (isupper((unsigned char)name[n]) || strchr(name, 'I'));
}

// Appends the demangled type of `length` bytes to `room`. A tag is always a type.
// *Returns* false when it is not a type.
static bool add_demangled(const char *name, size_t length, bool is_tag, char *room, size_t size)
{
    demangle_function *demangle = atomic_load(&demangler);
    char *mangled = strndup(name, length);
    int status = -1;
    char *text = demangle && mangled && (is_tag || may_be_type(mangled))
                     ? demangle(mangled, NULL, NULL, &status)
                     : NULL;
    bool is_good = text && status == 0;
    if (is_good) {
        size_t used = strlen(room);
        snprintf(room + used, size - used, "%s%s", used ? " / " : "", text);
    }
    free(text);
    free(mangled);
    return is_good;
}

// "7Functor/4TagA": the functor and its work tag.
static bool demangle_all(const char *name, char *room, size_t size)
{
    *room = '\0';
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
        bool is_tag = part != name;
        size_t length = strcspn(part, "/");
        if (!add_demangled(part, length, is_tag, room, size) && !is_tag) {
            return false;
        }
    }
    return true;
}

// *Returns* the length of the template argument at `text`. Inside parentheses, < and > are
// comparisons: (sizeof(A))>(2).
static size_t argument_length(const char *text)
{
    int lists = 0, parentheses = 0;
    size_t i = 0;
    for (; text[i]; i++) {
        parentheses += text[i] == '(';
        if (text[i] == ')' && --parentheses < 0) {
            break;
        }
        if (parentheses > 0) {
            continue;
        }
        lists += text[i] == '<';
        if (text[i] == '>' && --lists < 0) {
            break;
        }
        if (text[i] == ',' && lists == 0) {
            break;
        }
    }
    return i;
}

// *Returns* the functor of a reduction, which Kokkos wraps with its reducer (quirk 'wrapped
// reducer'). g++ omits the wrapper's namespaces.
static const char *unwrap(const char *name, char *room, size_t size)
{
    static const char spaces[] = "Kokkos::Impl::", wrapper[] = "CombinedFunctorReducer<";
    const char *at = name + (strncmp(name, spaces, strlen(spaces)) == 0 ? strlen(spaces) : 0);
    if (strncmp(at, wrapper, strlen(wrapper)) != 0) {
        return name;
    }
    const char *inner = at + strlen(wrapper);
    snprintf(room, size, "%.*s", (int)argument_length(inner), inner);
    return room;
}

// *Returns* the length of ":4:64)" at `text`, or 0 if neither the end nor a work tag follows.
static size_t place_length(const char *text)
{
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        size_t n_digits = text[n] == ':' ? strspn(text + n + 1, "0123456789") : 0;
        if (n_digits == 0) {
            return 0;
        }
        n += 1 + n_digits;
    }
    bool is_end = text[n] == ')' && (text[n + 1] == '\0' || text[n + 1] == '/');
    return is_end ? n + 1 : 0;
}

// Shortens "(lambda at app/main.cpp:4:64)" to "lambda main.cpp:4:64", with the column, since two
// lambdas may begin on one line. A work tag may follow: "/ns::Tag". Any other form is a user's
// label.
static const char *shorten_lambda(const char *name, char *room, size_t size)
{
    static const char start[] = "(lambda at ";
    if (strncmp(name, start, strlen(start)) != 0) {
        return name;
    }
    const char *file = name + strlen(start), *at = file;
    while (*at && place_length(at) == 0) {
        file = *at == '/' ? at + 1 : file;
        at++;
    }
    if (!*at) {
        return name;
    }
    const char *tag = at + place_length(at);
    size_t length = (size_t)(tag - file) - strlen(")");
    snprintf(room, size, "lambda %.*s%s%s", (int)length, file, *tag ? " / " : "",
             *tag ? tag + 1 : "");
    return room;
}

// *Returns* the length of the list of template arguments at `text`, or 0 if it has no end.
static size_t list_length(const char *text)
{
    size_t i = argument_length(text);
    while (text[i] == ',') {
        i += 1 + argument_length(text + i + 1);
    }
    return text[i] == '>' ? i : 0;
}

// Copies `name` into `room`, without long template arguments.
static void shorten_arguments(const char *name, char *room, size_t size)
{
    size_t n = 0;
    bool is_long = strlen(name) > MAX_SHOWN;
    for (const char *at = name; *at && n + 8 < size;) {
        room[n++] = *at++;
        bool is_list = at[-1] == '<' && *at && *at != '<' && *at != '=' &&
                       strncmp(at, "lambda", strlen("lambda")) != 0;
        if (is_long && is_list) {
            memcpy(room + n, "...", 3);
            n += 3;
            at += list_length(at);
        }
    }
    room[n] = '\0';
}

static bool is_kernel(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_KOKKOS_FOR || construct == OTTER_CONSTRUCT_KOKKOS_REDUCE ||
           construct == OTTER_CONSTRUCT_KOKKOS_SCAN;
}

const char *names_show(enum otter_construct construct, const char *raw, char *room, size_t size)
{
    char demangled[4096], inner[4096], lambda[1024];
    const char *name = raw;
    if (!is_kernel(construct)) {
        return raw;
    }
    if (atomic_load(&has_mangled_names)) {
        if (!may_be_type(raw) || !demangle_all(raw, demangled, sizeof(demangled))) {
            return raw;
        }
        name = unwrap(demangled, inner, sizeof(inner));
    } else {
        name = unwrap(raw, inner, sizeof(inner));
        name = shorten_lambda(name, lambda, sizeof(lambda));
        if (name == raw) {
            return raw;
        }
    }
    shorten_arguments(name, room, size);
    return room;
}
