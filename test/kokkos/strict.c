// A Kokkos tool that assigns dense numbers, like tools that use numbers as indices. It ends the
// program when a hook gets an unused number. At its end it prints its counts on standard error.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NUMBERS = 1 << 21 };

struct numbers {
    _Atomic uint64_t n_given, n_begun, n_ended, n_gone;
    atomic_bool is_used[MAX_NUMBERS];
};

static struct numbers sections, kernels;

static void require(int is_right, const char *hook, uint64_t number)
{
    if (!is_right) {
        fprintf(stderr, "strict: %s gets %" PRIu64 "\n", hook, number);
        abort();
    }
}

static uint64_t give(struct numbers *numbers)
{
    uint64_t number = atomic_fetch_add(&numbers->n_given, 1);
    require(number < MAX_NUMBERS, "give", number);
    atomic_store(&numbers->is_used[number], 1);
    return number;
}

static void check(struct numbers *numbers, const char *hook, uint64_t number)
{
    require(number < MAX_NUMBERS && atomic_load(&numbers->is_used[number]), hook, number);
}

static void end(struct numbers *numbers, const char *hook, uint64_t number)
{
    check(numbers, hook, number);
    require(atomic_exchange(&numbers->is_used[number], 0), hook, number);
    atomic_fetch_add(&numbers->n_gone, 1);
}

void kokkosp_create_profile_section(const char *name, uint32_t *section);
void kokkosp_create_profile_section(const char *name, uint32_t *section)
{
    *section = (uint32_t)give(&sections);
}

void kokkosp_start_profile_section(uint32_t section);
void kokkosp_start_profile_section(uint32_t section)
{
    check(&sections, "start", section);
    atomic_fetch_add(&sections.n_begun, 1);
}

void kokkosp_stop_profile_section(uint32_t section);
void kokkosp_stop_profile_section(uint32_t section)
{
    check(&sections, "stop", section);
    atomic_fetch_add(&sections.n_ended, 1);
}

void kokkosp_destroy_profile_section(uint32_t section);
void kokkosp_destroy_profile_section(uint32_t section)
{
    end(&sections, "destroy", section);
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel);
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel)
{
    *kernel = give(&kernels);
}

void kokkosp_end_parallel_for(uint64_t kernel);
void kokkosp_end_parallel_for(uint64_t kernel)
{
    end(&kernels, "end", kernel);
}

void kokkosp_finalize_library(void);
void kokkosp_finalize_library(void)
{
    fprintf(stderr,
            "strict: %" PRIu64 " sections, %" PRIu64 " started, %" PRIu64 " stopped, %" PRIu64
            " destroyed; %" PRIu64 " kernels, %" PRIu64 " ended\n",
            sections.n_given, sections.n_begun, sections.n_ended, sections.n_gone, kernels.n_given,
            kernels.n_gone);
}
