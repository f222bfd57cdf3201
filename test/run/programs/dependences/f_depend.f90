! A chain and a fan of dependences, in Fortran.
!
! expect: tasks == 22
! expect: param('depend inout') == 12
! expect: param('depend in') == 20
program f_depend
    implicit none
    integer :: x, i, total, y(10)

    x = 0
    !$omp parallel
    !$omp single
    do i = 1, 11
        !$omp task depend(inout: x) shared(x)
        x = x + 1
        !$omp end task
    end do
    do i = 1, 10
        !$omp task depend(in: x, y(1:1)) shared(x, y) firstprivate(i)
        y(i) = x * i
        !$omp end task
    end do
    !$omp task depend(inout: x) shared(x)
    x = x + 100
    !$omp end task
    !$omp end single
    !$omp end parallel
    total = sum(y)
    if (x /= 111 .or. total /= 605) stop 1
    print '(a,1x,i0)', 'total', total
end program f_depend
