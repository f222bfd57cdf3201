module m
contains
  recursive subroutine work(n, sum)
    integer, value :: n
    integer :: sum
    if (n > 0) then
      !$omp task shared(sum) ! HERE task m::work
      call work(n - 1, sum)
      !$omp end task
      !$omp taskwait ! HERE taskwait m::work
      sum = sum + 1
    end if
  end subroutine
end module

program procedures
  use m
  integer :: sum
  sum = 0
  !$omp parallel num_threads(2) ! HERE parallel procedures
  !$omp single
  call work(3, sum)
  call inner(sum)
  !$omp end single
  !$omp end parallel
  print *, sum
contains
  subroutine inner(sum)
    integer :: sum
    !$omp task shared(sum) ! HERE task inner
    sum = sum + 1
    !$omp end task
    !$omp taskwait ! HERE taskwait inner
    sum = sum + 1
  end subroutine
end program
