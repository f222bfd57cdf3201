// The start and end of the connector: MPI_Init and MPI_Finalize.
#pragma once

#include "weak.h"

// Called before MPI_Init or MPI_Init_thread, and after it if it succeeded.
void lifecycle_attach(void);
void lifecycle_begin(void);

// Called before MPI_Finalize and after it has returned.
void lifecycle_finish(void);
void lifecycle_detach(void);
