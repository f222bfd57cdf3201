! Routines that are called with 64-bit integers, as with -fdefault-integer-8.
program wide
  use omp_lib
  integer :: n, threads
  integer(8) :: chunk
  integer(omp_sched_kind) :: kind
  threads = 0
  call omp_set_num_threads(3_8)
  call omp_set_dynamic(.false._8)
  call omp_set_max_active_levels(2_8)
  call omp_set_schedule(omp_sched_dynamic, 5_8)
  call omp_get_schedule(kind, chunk)
  !$omp parallel reduction(+: threads)
  threads = threads + 1
  !$omp end parallel
  n = omp_get_team_size(0_8) + omp_get_ancestor_thread_num(0_8)
  print *, threads, kind, chunk, n, omp_get_max_active_levels(), omp_get_dynamic()
end program
