// Prints the results of the conditions of --fail-if.
#include "base/text/print.h"
#include "graph/export/text.h"
#include "report/diff/diff_condition.h"

static const char *result_name(enum otter_condition_result result)
{
    static const char *const names[] = {"passed", "noise", "FAILED", "FAILED"};
    return names[result];
}

void otter_conditions_print(FILE *out, const struct otter_condition *conditions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        otter_print(out, i ? "" : "\n");
        otter_print(out, "%s  %s\n        %s\n", result_name(conditions[i].result),
                    conditions[i].text, conditions[i].found);
    }
}

json_t *otter_conditions_json(const struct otter_condition *conditions, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *object = json_object();
        otter_json_set_text(object, "condition", conditions[i].text);
        otter_json_set(object, "failed", json_boolean(otter_condition_fails(&conditions[i])));
        otter_json_set(object, "noise",
                       json_boolean(conditions[i].result == OTTER_CONDITION_NOISE));
        otter_json_set_text(object, "found", conditions[i].found);
        json_array_append_new(array, object);
    }
    return array;
}

static void print_case(FILE *out, const struct otter_condition *condition)
{
    otter_put(out, "  <testcase classname=\"otter diff\" name=\"");
    otter_put_xml(out, condition->text);
    otter_put(out, "\">\n");
    const char *element = condition->result == OTTER_CONDITION_NO_LABEL ? "error"
                          : otter_condition_fails(condition)            ? "failure"
                                                                        : NULL;
    if (element) {
        otter_print(out, "    <%s type=\"condition\" message=\"", element);
        otter_put_xml(out, condition->found);
        otter_put(out, "\"/>\n");
    } else {
        otter_print(out, "    <system-out>%s", result_name(condition->result));
        otter_put(out, ": ");
        otter_put_xml(out, condition->found);
        otter_put(out, "</system-out>\n");
    }
    otter_put(out, "  </testcase>\n");
}

void otter_conditions_print_junit(FILE *out, const struct otter_condition *conditions, size_t n)
{
    unsigned n_failures = 0, n_errors = 0;
    for (size_t i = 0; i < n; i++) {
        n_failures += conditions[i].result == OTTER_CONDITION_FAILED;
        n_errors += conditions[i].result == OTTER_CONDITION_NO_LABEL;
    }
    otter_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    otter_print(out,
                "<testsuite name=\"otter diff\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
                "skipped=\"0\">\n",
                (unsigned)n, n_failures, n_errors);
    for (size_t i = 0; i < n; i++) {
        print_case(out, &conditions[i]);
    }
    otter_put(out, "</testsuite>\n");
}
