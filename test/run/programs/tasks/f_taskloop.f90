! taskloop and taskgroup, in Fortran.
!
! expect: tasks == 6 + 3
! expect: enters('taskgroup') == 2
program f_taskloop
    implicit none
    integer :: i, a(60), n

    a = 0
    n = 0
    !$omp parallel
    !$omp single
    !$omp taskloop num_tasks(6)
    do i = 1, 60
        a(i) = a(i) + i
    end do
    !$omp end taskloop
    !$omp taskgroup
    do i = 1, 3
        !$omp task shared(n)
        !$omp atomic
        n = n + 1
        !$omp end task
    end do
    !$omp end taskgroup
    if (n /= 3) stop 2
    !$omp end single
    !$omp end parallel
    if (sum(a) /= 1830) stop 1
    print '(a,1x,i0)', 'sum', sum(a)
end program f_taskloop
