// Demangles the names of C++ functions with the C++ library of the system.
#include "report/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The C++ library is loaded on demand, since the command needs it for C++ programs alone.
static char *ask_library(const char *name)
{
    typedef char *function(const char *, char *, size_t *, int *);
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
        if (symbol) {
            function *demangle;
            memcpy(&demangle, &symbol, sizeof demangle);
            return demangle(name, NULL, NULL, NULL);
        }
    }
    return NULL;
}

// Cuts the parameters off: "(anonymous namespace)::f(int)" ends before the second parenthesis.
static void cut_parameters(char *text)
{
    static const char anonymous[] = "(anonymous namespace)", call[] = "operator()";
    int depth = 0; // of template arguments
    for (char *at = text; *at; at++) {
        if (strncmp(at, anonymous, sizeof anonymous - 1) == 0) {
            at += sizeof anonymous - 2;
        } else if (strncmp(at, call, sizeof call - 1) == 0) {
            at += sizeof call - 2;
        } else if (*at == '(' && depth == 0 && at > text) {
            *at = '\0';
            return;
        }
        depth += (*at == '<') - (*at == '>');
    }
}

char *otter_demangle(const char *name)
{
    bool is_mangled = strncmp(name, "_Z", 2) == 0;
    char *text = is_mangled ? ask_library(name) : NULL;
    if (!text) {
        return strdup(name);
    }
    cut_parameters(text);
    return text;
}

// Is `sign` the complete symbol of the operator? In "operator<<int>" the complete symbol is "<".
static bool is_sign(const char *at, const char *sign)
{
    size_t n = strlen(sign);
    return strncmp(at, sign, n) == 0 && (at[n] == '\0' || strchr(" <(:", at[n]));
}

// Skips an operator's name whose brackets belong to no template, such as "operator<<". Returns `at`
// if there is no such name.
static const char *behind_operator(const char *at)
{
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "<",   ">"};
    size_t length = strlen("operator");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strncmp(at, "operator", length) == 0 && is_sign(at + length, signs[i])) {
            return at + length + strlen(signs[i]);
        }
    }
    return at;
}

char *otter_demangle_cut_arguments(char *name)
{
    char *to = name;
    int depth = 0;
    const char *at = name ? name : "";
    while (*at) {
        const char *behind = depth == 0 ? behind_operator(at) : at;
        if (behind > at) {
            memmove(to, at, (size_t)(behind - at));
            to += behind - at;
            at = behind + strspn(behind, " ");
            continue;
        }
        depth += *at == '<';
        if (depth == 0) {
            *to++ = *at;
        }
        depth -= *at == '>' && depth > 0;
        at++;
    }
    if (name) {
        *to = '\0';
    }
    return name;
}
