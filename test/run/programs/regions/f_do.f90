! Worksharing in Fortran: do of several schedules, sections, critical, reduction.
!
! args: 3
! expect: acquires == T * out('rounds')
! expect: enters('for') >= 2 * T * out('rounds')
program f_do
    use omp_lib
    implicit none
    integer :: i, round, rounds, total, count
    character(len=16) :: text

    rounds = 3
    if (command_argument_count() > 0) then
        call get_command_argument(1, text)
        read (text, *) rounds
    end if
    total = 0
    count = 0
    do round = 1, rounds
        !$omp parallel
        !$omp do schedule(static) reduction(+: total)
        do i = 1, 40
            total = total + i
        end do
        !$omp end do
        !$omp do schedule(dynamic, 3) reduction(+: total)
        do i = 1, 40
            total = total + i
        end do
        !$omp end do
        !$omp sections
        !$omp section
        total = total + 1
        !$omp end sections
        !$omp critical
        count = count + 1
        !$omp end critical
        !$omp end parallel
    end do
    if (total /= rounds * (2 * 820 + 1)) stop 1
    if (count /= rounds * omp_get_max_threads()) stop 2
    print '(a,1x,i0)', 'total', total
    print '(a,1x,i0)', 'rounds', rounds
end program f_do
