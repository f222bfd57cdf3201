! Recursive tasks and taskwait, in Fortran.
!
! args: 10
! expect: tasks == out('tasks')
! expect: enters('taskwait') == out('taskwaits')
! expect: forks == 1
program f_tasks
    implicit none
    integer :: n, i
    integer(8) :: f(0:64), answer
    character(len=16) :: text

    n = 10
    if (command_argument_count() > 0) then
        call get_command_argument(1, text)
        read (text, *) n
    end if
    f(0) = 0
    f(1) = 1
    do i = 2, n + 1
        f(i) = f(i - 1) + f(i - 2)
    end do
    !$omp parallel
    !$omp single
    call fib(n, answer)
    !$omp end single
    !$omp end parallel
    if (answer /= f(n)) stop 1
    print '(a,1x,i0)', 'fib', answer
    print '(a,1x,i0)', 'tasks', 2 * (f(n + 1) - 1)
    print '(a,1x,i0)', 'taskwaits', f(n + 1) - 1

contains

    recursive subroutine fib(m, r)
        integer, value :: m
        integer(8), intent(out) :: r
        integer(8) :: a, b
        if (m < 2) then
            r = m
            return
        end if
        !$omp task shared(a) firstprivate(m)
        call fib(m - 1, a)
        !$omp end task
        !$omp task shared(b) firstprivate(m)
        call fib(m - 2, b)
        !$omp end task
        !$omp taskwait
        r = a + b
    end subroutine fib
end program f_tasks
