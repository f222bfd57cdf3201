! Constructs whose ends are barriers. GCC's code has no rows for them.
module work
  integer :: a(0:99) = 0
contains
  subroutine change(x)
    integer :: x
    x = ieor(x * 3, 5)
  end subroutine

  subroutine ends_of_constructs()
    integer :: i, k
    !$omp parallel num_threads(2) private(i, k)
      do k = 1, 3
        !$omp single ! HERE single,barrier work::ends_of_constructs
        call change(a(2))
        !$omp end single
      end do
      do k = 1, 4
        !$omp single ! HERE single,barrier work::ends_of_constructs
        call change(a(5))
        !$omp end single
      end do
      !$omp do ! HERE barrier work::ends_of_constructs
      do i = 0, 20
        call change(a(i))
      end do
      !$omp end do
      a(6) = a(6) + 1
      do k = 1, 5
        !$omp do schedule(dynamic) ! HERE for,barrier work::ends_of_constructs
        do i = 0, 20
          a(i) = a(i) + 1
        end do
        !$omp end do
      end do
      do k = 1, 4
        !$omp sections ! HERE sections,barrier work::ends_of_constructs
        call change(a(7))
        !$omp end sections
      end do
      do k = 1, 5
        !$omp sections ! HERE sections,barrier work::ends_of_constructs
        !$omp section
        a(8) = a(8) + 1
        !$omp section
        call change(a(9))
        !$omp end sections
      end do
      !$omp barrier ! HERE barrier work::ends_of_constructs
      a(10) = a(10) + 1
    !$omp end parallel
  end subroutine

  subroutine orphaned()
    integer :: i, k
    !$omp do schedule(dynamic) ! HERE for,barrier work::orphaned
    do i = 1, 20
      call change(a(30))
    end do
    !$omp end do
    do k = 1, 4
      call change(a(31))
      a(32) = a(32) + 1
      !$omp taskwait ! HERE taskwait work::orphaned
      a(33) = ieor(a(33) * 3, k)
      !$omp do ! HERE barrier work::orphaned
      do i = 1, 20
        a(34) = a(34) + 1
        call change(a(35))
      end do
      !$omp end do
      call change(a(36))
    end do
  end subroutine

  subroutine alike()
    integer :: k
    !$omp parallel num_threads(2) private(k)
      !$omp single ! HERE single,barrier work::alike
      !$omp task
      a(11) = a(11) + 1
      !$omp end task
      !$omp end single
      !$omp single ! HERE single,barrier work::alike
      !$omp task
      a(12) = a(12) + 1
      !$omp end task
      !$omp end single
      do k = 1, 3
        !$omp single & ! HERE single work::alike
        !$omp& private(k)
        !$omp task
        a(13) = a(13) + 1
        !$omp end task
        !$omp end single &
        !$omp nowait
        call change(a(17))
      end do
      !$omp taskgroup ! HERE taskgroup work::alike
      !$omp task
      a(14) = a(14) + 1
      !$omp end task
      !$omp end taskgroup
      !$omp taskgroup ! HERE taskgroup work::alike
      !$omp task
      a(15) = a(15) + 1
      !$omp end task
      !$omp end taskgroup
      call change(a(16))
      call orphaned()
    !$omp end parallel
  end subroutine
end module

program main
  use work
  call alike()
  call ends_of_constructs()
end program
