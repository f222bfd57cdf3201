// The connector's begin and end: MPI_Init and MPI_Finalize.
#pragma once

#include "weak.h"

// Before and after MPI_Init or MPI_Init_thread; after their success.
void lifecycle_attach(void);
void lifecycle_begin(void);

// Before MPI_Finalize, and after its call has ended.
void lifecycle_finish(void);
void lifecycle_detach(void);
