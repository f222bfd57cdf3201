// The calls of GCC's runtime in one unit, and the directives that they claim. Each directive for
// which GCC emits a call should be claimed by one.
#pragma once

#include "base/vector.h"
#include "source/directive_of_call.h"

struct otter_claim;

struct otter_claims_of_unit {
    const struct otter_unit *unit;
    struct {
        OTTER_VECTOR(struct otter_claim);
    } calls; // sorted by address
};

struct otter_claims { // zero at first
    OTTER_VECTOR(struct otter_claims_of_unit);
};

void otter_claims_finish(struct otter_claims *claims);

// Returns the place of the directive that the call begins or ends. If several calls in one function
// seem to belong to the same directive, the later ones get the next directive without a call.
struct otter_directive_place otter_claims_find(struct otter_claims *claims,
                                               const struct otter_runtime_call *call);
