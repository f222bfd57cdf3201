! Sends commands to the tool from Fortran, and prints the results.
program f_commands
  use otter_control
  implicit none
  integer :: results(9)
  !$omp parallel
  !$omp end parallel
  results(1) = otter_query()
  results(2) = otter_phase_begin("of Fortran")
  results(3) = otter_mark_moment("moment of Fortran")
  results(4) = otter_phase_end()
  results(5) = otter_pause()
  results(6) = otter_query()
  !$omp parallel
  !$omp end parallel
  results(7) = otter_start()
  results(8) = otter_flush()
  !$omp parallel
  !$omp end parallel
  results(9) = otter_end()
  print '(9i4)', results
end program
