// Demangles the names of C++ functions with the C++ library of the system.
#include "source/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

typedef char *demangler(const char *, char *, size_t *, int *);

static demangler *demangle;
static pthread_once_t is_loaded = PTHREAD_ONCE_INIT;

// The C++ library is loaded on demand, since the command needs it only for C++ programs.
static void load_demangler(void)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
        if (symbol) {
            memcpy(&demangle, &symbol, sizeof demangle);
            return;
        }
    }
}

static char *ask_library(const char *name)
{
    pthread_once(&is_loaded, load_demangler);
    return demangle ? demangle(name, NULL, NULL, NULL) : NULL;
}

// Returns whether `sign` is the complete symbol of the operator. In "operator<<int>" that is "<".
static bool is_sign(const char *at, const char *sign)
{
    size_t n = strlen(sign);
    return strncmp(at, sign, n) == 0 && (at[n] == '\0' || strchr(" <(:", at[n]));
}

// Returns whether the word `operator` is at this place of the text.
static bool is_operator(const char *text, const char *at)
{
    return strncmp(at, "operator", strlen("operator")) == 0 &&
           (at == text || at[-1] == ':' || at[-1] == ' ');
}

// Skips an operator's name whose brackets do not belong to a template or parameters, such as
// "operator<<". Returns `at` if there is no such name.
static const char *skip_operator(const char *text, const char *at)
{
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "()",  "<",  ">"};
    size_t length = strlen("operator");
    for (size_t i = 0; i < sizeof signs / sizeof *signs && is_operator(text, at); i++) {
        if (is_sign(at + length, signs[i])) {
            return at + length + strlen(signs[i]);
        }
    }
    return at;
}

// Skips a part of a name that contains a space or parentheses. Returns `at` if there is none.
static const char *skip_part(const char *text, const char *at)
{
    static const char anonymous[] = "(anonymous namespace)";
    bool is_anonymous = strncmp(at, anonymous, sizeof anonymous - 1) == 0;
    return is_anonymous ? at + sizeof anonymous - 1 : skip_operator(text, at);
}

// Returns whether the name of a lambda's class follows: "::{lambda(int)#1}" from GCC and clang, or
// "::$_0" from clang.
static bool is_lambda(const char *at)
{
    return strncmp(at, "::{lambda", strlen("::{lambda")) == 0 || strncmp(at, "::$_", 4) == 0;
}

static size_t length_of_brackets(const char *text)
{
    size_t n = 0;
    int depth = 0;
    do {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        n++;
    } while (depth > 0 && text[n]);
    return n;
}

// Cuts off the result type, the parameters, and a lambda inside the function:
// "auto f(int)::{lambda(int)#1}::operator()<int>(int) const" becomes "f". If `wants_parameters`, it
// becomes "(int)", the parameters of f, or "" if there are none.
static void cut_to_function(char *text, bool wants_parameters)
{
    const char *begin = text, *at = text;
    int depth = 0; // depth of brackets
    bool is_in_operator = false;
    while (*at) {
        const char *rest = depth == 0 ? skip_part(text, at) : at;
        is_in_operator = is_in_operator || (depth == 0 && is_operator(text, at));
        if (rest > at) {
            at = rest;
            continue;
        }
        if (depth == 0 && at > begin && (*at == '(' || is_lambda(at))) {
            break;
        }
        depth += strchr("<({", *at) != NULL;
        depth -= depth > 0 && strchr(">)}", *at);
        at++;
        if (depth == 0 && at[-1] == ' ' && !is_in_operator) {
            begin = at;
        }
    }
    size_t length = (size_t)(at - begin);
    if (wants_parameters) {
        begin = at;
        length = *at == '(' ? length_of_brackets(at) : 0;
    }
    memmove(text, begin, length);
    text[length] = '\0';
}

char *otter_demangle(const char *name)
{
    bool is_mangled = strncmp(name, "_Z", 2) == 0;
    char *text = is_mangled ? ask_library(name) : NULL;
    if (!text) {
        return strdup(name);
    }
    cut_to_function(text, false);
    return text;
}

char *otter_demangle_parameters(const char *name)
{
    char *text = strncmp(name, "_Z", 2) == 0 ? ask_library(name) : NULL;
    if (text) {
        cut_to_function(text, true);
    }
    return text;
}

char *otter_demangle_cut_arguments(char *name)
{
    char *to = name;
    int depth = 0;
    const char *at = name ? name : "";
    while (*at) {
        const char *rest = depth == 0 ? skip_operator(name, at) : at;
        if (rest > at) {
            memmove(to, at, (size_t)(rest - at));
            to += rest - at;
            at = rest + strspn(rest, " ");
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
