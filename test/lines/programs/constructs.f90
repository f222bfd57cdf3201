! Each construct in the surroundings in which GCC's line table has the line of another statement.
module constructs
  implicit none
  integer :: a(200) = 0
contains
  subroutine add(i)
    integer, intent(in) :: i
    !$omp atomic
    a(i) = a(i) + 1
  end subroutine

  subroutine regions()
    integer :: i
    !$omp parallel do num_threads(2) ! HERE parallel constructs::regions
    do i = 1, 100
      call add(i)
    end do
    !$omp parallel num_threads(2) ! HERE parallel constructs::regions
    call add(1)
    !$omp end parallel
    !$omp parallel num_threads(2) ! HERE parallel constructs::regions
    call add(2)
    !$omp end parallel
  end subroutine

  subroutine tasks(n)
    integer, value :: n
    integer :: i, k
    do i = 1, n
      !$omp task depend(inout: a(mod(i, 8) + 1)) firstprivate(i) ! HERE task constructs::tasks
      call add(i)
      !$omp end task
      call add(3)
      !$omp task firstprivate(i) ! HERE task constructs::tasks
      call add(i + 1)
      !$omp end task
      !$omp taskloop & ! HERE taskloop,task,taskgroup constructs::tasks
      !$omp grainsize(4)
      do k = 1, 8
        call add(k)
      end do
    end do
    !$omp taskwait ! HERE taskwait constructs::tasks
    call add(4)
  end subroutine

  subroutine synchronised()
    !$omp parallel num_threads(2) ! HERE parallel constructs::synchronised
    call add(5)
    !$omp single ! HERE single constructs::synchronised
    call add(6)
    !$omp taskgroup ! HERE taskgroup constructs::synchronised
    !$omp task ! HERE task constructs::synchronised
    call add(7)
    !$omp end task
    !$omp end taskgroup
    !$omp end single
    call add(8)
    !$omp critical ! HERE critical constructs::synchronised
    a(9) = a(9) + 1
    !$omp end critical
    call add(10)
    !$omp taskgroup ! HERE taskgroup constructs::synchronised
    call add(11)
    !$omp end taskgroup
    call add(12)
    !$omp end parallel
  end subroutine

  subroutine shared_work()
    integer :: i
    !$omp parallel & ! HERE parallel constructs::shared_work
    !$omp   & num_threads(2) ! a comment
    call add(13)
    !$omp do schedule(dynamic) ! HERE for constructs::shared_work
    do i = 1, 100
      call add(i)
    end do
    !$omp end do
    call add(14)
    !$omp sections ! HERE sections constructs::shared_work
    !$omp section
    call add(15)
    !$omp section
    call add(16)
    !$omp end sections
    !$omp end parallel
    !$omp parallel sections num_threads(2) ! HERE parallel,sections constructs::shared_work
    call add(18)
    !$omp section
    call add(19)
    !$omp end parallel sections
  end subroutine
end module

program everything
  use constructs
  implicit none
  call regions()
  !$omp parallel num_threads(2) ! HERE parallel everything
  call add(17)
  !$omp single ! HERE single everything
  call tasks(10)
  !$omp end single
  !$omp end parallel
  call synchronised()
  call shared_work()
  print *, a(1) > 0
end program
