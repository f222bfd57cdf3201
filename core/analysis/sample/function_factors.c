// Finds by how much the times of labels change if functions take a different time.
#include "analysis/sample/function_factors.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sample/share.h"
#include "base/free.h"

struct sums {
    double factors, squares;
    uint64_t n;
};

struct finding {
    const struct otter_analysis *analysis;
    const struct otter_samples *samples;
    const struct otter_frames *frames;
    const struct otter_function_change *changes;
    size_t n_changes;
    struct otter_function_factors *factors;
    uint32_t *of_texts, *of_contexts; // bits of the changed functions
    struct sums *sums;                // of each label
    float *of_samples;                // factors; NAN: not executing
    double smallest, largest;         // factors of samples
};

// ---- changed functions of each calling context

// Returns the last part of a qualified name: "leaf<a::b>(c::d)" of "m::leaf<a::b>(c::d)".
static const char *last_part(const char *name)
{
    static const char word[] = "operator";
    enum { LENGTH = sizeof word - 1 };
    const char *part = name;
    size_t depth = 0; // of brackets
    for (const char *at = name; *at; at++) {
        if (at == part && strncmp(at, word, LENGTH) == 0 && at[LENGTH] != '_' &&
            !isalnum((unsigned char)at[LENGTH])) {
            break; // "operator<(m::leaf)"
        }
        depth += *at == '<' || *at == '(';
        depth -= depth > 0 && (*at == '>' || *at == ')');
        part = depth == 0 && at[0] == ':' && at[1] == ':' ? at + 2 : part;
    }
    return part;
}

static bool begins_with(const char *function, const char *name)
{
    size_t length = strlen(name);
    return strncmp(function, name, length) == 0 && strchr("<(", function[length]);
}

bool otter_function_has_name(const char *function, const char *name)
{
    return begins_with(function, name) || begins_with(last_part(function), name);
}

// Marks the function with the name of change `k`, or the only one with this shorter name.
static void mark_named(const struct finding *finding, size_t k)
{
    const char *name = finding->changes[k].function;
    uint32_t n = finding->frames->texts.n, found = n, n_found = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *text = otter_frames_text(finding->frames, i);
        if (strcmp(text, name) == 0) {
            found = i;
            n_found = 1;
            break;
        }
        if (otter_function_has_name(text, name)) {
            found = i;
            n_found++;
        }
    }
    if (n_found == 1) {
        finding->of_texts[found] |= (uint32_t)1 << k;
    }
}

static void mark_texts(const struct finding *finding)
{
    for (size_t k = 0; k < finding->n_changes; k++) {
        mark_named(finding, k);
    }
}

// A parent has a smaller index.
static void mark_contexts(const struct finding *finding)
{
    const struct otter_frames *frames = finding->frames;
    const struct otter_definitions *definitions = finding->analysis->definitions;
    for (uint32_t i = 0; i < definitions->n_contexts; i++) {
        const struct otter_calling_context *context = &definitions->contexts[i];
        uint32_t bits = context->parent < i ? finding->of_contexts[context->parent] : 0;
        if (context->region < definitions->n_regions) {
            for (uint32_t k = frames->first[context->region];
                 k < frames->first[context->region + 1]; k++) {
                bits |= finding->of_texts[frames->items[k].function];
            }
        }
        finding->of_contexts[i] = bits;
    }
}

// ---- factors of each label

static double factor_of(const struct finding *finding, uint32_t bits)
{
    double factor = 1;
    for (size_t k = 0; k < finding->n_changes; k++) {
        factor *= bits >> k & 1 ? finding->changes[k].factor : 1;
    }
    return factor;
}

static void add_sample(struct finding *finding, uint32_t index)
{
    const struct otter_sample *sample = &finding->samples->items[index];
    bool is_known = sample->context < finding->analysis->definitions->n_contexts;
    uint32_t bits = is_known ? finding->of_contexts[sample->context] : 0;
    double factor = factor_of(finding, bits);
    struct sums *sums =
        &finding->sums[otter_account_label(&finding->analysis->account, sample->label)];
    finding->of_samples[index] = (float)factor;
    sums->n++;
    sums->factors += factor;
    sums->squares += factor * factor;
    finding->smallest = fmin(finding->smallest, factor);
    finding->largest = fmax(finding->largest, factor);
    finding->factors->found |= bits;
    finding->factors->n_changed += bits > 0;
    finding->factors->n_samples++;
}

// Returns the share of a label's time that its samples cover. `error`: -1 or 1 for the ends of its
// interval. The share is below 1 if threads were blocked or in the kernel, where no sample is
// taken. If it may be within 5 % of 1, returns 1.
static double covered(const struct finding *finding, uint32_t label, double error)
{
    enum { Z = 2 };
    const double least_gap = 0.05;
    const struct otter_analysis *analysis = finding->analysis;
    double n = (double)finding->sums[label].n;
    double executed = (double)analysis->account.executed[label] * analysis->tick;
    double share = executed > 0 ? n * finding->samples->period / executed : 1;
    double width = n > 0 ? Z / sqrt(n) : 1;
    bool is_known = finding->samples->period > 0 && finding->samples->n_lost == 0;
    if (!is_known || share * (1 + width) > 1 - least_gap) {
        return 1;
    }
    return share * (1 + error * width);
}

// Sets the factors of a label, with the interval that its own samples give.
static void set_label(const struct finding *finding, uint32_t label)
{
    struct otter_function_factors *factors = finding->factors;
    const struct sums *sums = &finding->sums[label];
    double n = (double)sums->n, width = finding->largest - finding->smallest;
    double low = 0, high = 0, mean = n > 0 ? sums->factors / n : 1;
    if (n > 0 && width > 0) {
        double variance = fmax(sums->squares / n - mean * mean, 0);
        otter_share_interval((mean - finding->smallest) / width, variance / (width * width), n,
                             &low, &high);
    }
    double least = n > 0 ? finding->smallest + low * width : 1;
    double most = n > 0 ? finding->smallest + high * width : 1;
    factors->middle[label] = 1 + covered(finding, label, 0) * (mean - 1);
    factors->least[label] = 1 + covered(finding, label, least < 1 ? 1 : -1) * (least - 1);
    factors->most[label] = 1 + covered(finding, label, most < 1 ? -1 : 1) * (most - 1);
}

// The errors of labels are independent: the error of their sum is the root of the sum of squares.
// Narrows all intervals by the same share, so that they add up to this error.
static void narrow(const struct finding *finding)
{
    struct otter_function_factors *factors = finding->factors;
    const struct otter_account *account = &finding->analysis->account;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < account->n_labels; i++) {
        double error = (factors->most[i] - factors->least[i]) * (double)account->executed[i];
        sum += error;
        squares += error * error;
    }
    double share = sum > 0 ? sqrt(squares) / sum : 1;
    for (uint32_t i = 0; i < account->n_labels; i++) {
        double middle = factors->middle[i];
        factors->least[i] = middle - share * (middle - factors->least[i]);
        factors->most[i] = middle + share * (factors->most[i] - middle);
    }
}

static void find(struct finding *finding)
{
    const struct otter_samples *samples = finding->samples;
    mark_texts(finding);
    mark_contexts(finding);
    for (uint32_t i = 0; i < samples->n; i++) {
        finding->of_samples[i] = NAN;
        if (samples->items[i].state == OTTER_STATE_EXECUTING) {
            add_sample(finding, i);
        }
    }
    for (uint32_t i = 0; i < finding->analysis->account.n_labels; i++) {
        set_label(finding, i);
    }
    narrow(finding);
}

enum otter_status otter_function_factors_init(struct otter_function_factors *factors,
                                              const struct otter_analysis *analysis,
                                              const struct otter_samples *samples,
                                              const struct otter_frames *frames,
                                              const struct otter_function_change *changes,
                                              size_t n_changes)
{
    size_t n = analysis->account.n_labels, n_contexts = analysis->definitions->n_contexts;
    *factors = (struct otter_function_factors){.middle = calloc(n, sizeof *factors->middle),
                                               .least = calloc(n, sizeof *factors->least),
                                               .most = calloc(n, sizeof *factors->most)};
    struct finding finding = {.analysis = analysis,
                              .samples = samples,
                              .frames = frames,
                              .changes = changes,
                              .n_changes = n_changes,
                              .factors = factors,
                              .of_texts =
                                  calloc(frames->texts.n + (size_t)1, sizeof *finding.of_texts),
                              .of_contexts = calloc(n_contexts + 1, sizeof *finding.of_contexts),
                              .sums = calloc(n, sizeof *finding.sums),
                              .of_samples = malloc((samples->n + (size_t)1) * sizeof(float)),
                              .smallest = 1,
                              .largest = 1};
    bool is_good = factors->middle && factors->least && factors->most && finding.of_texts &&
                   finding.of_contexts && finding.sums && finding.of_samples;
    enum otter_status status = is_good ? OTTER_OK : OTTER_NO_MEMORY;
    if (is_good) {
        find(&finding);
        status = otter_interval_ratios_init(&factors->ratios, analysis, samples, finding.of_samples,
                                            factors->middle);
    }
    OTTER_FREE(finding.of_texts, finding.of_contexts, finding.sums, finding.of_samples);
    return status;
}

void otter_function_factors_finish(struct otter_function_factors *factors)
{
    OTTER_FREE(factors->middle, factors->least, factors->most);
    otter_interval_ratios_finish(&factors->ratios);
    *factors = (struct otter_function_factors){0};
}
