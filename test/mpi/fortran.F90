! The same messages by three interfaces; the macro MODE chooses: mpif.h, mpi, mpi_f08.
program fortran
#if MODE == 1
  implicit none
  include 'mpif.h'
#elif MODE == 2
  use mpi
  implicit none
#else
  use mpi_f08
  implicit none
#endif
  integer :: rank, size, error, data, total, i
#if MODE == 3
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
  integer :: request
  integer :: status(MPI_STATUS_SIZE)
#endif
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  do i = 1, 3
    call MPI_Isend(rank, 1, MPI_INTEGER, mod(rank + 1, size), i, MPI_COMM_WORLD, request, error)
    call MPI_Recv(data, 1, MPI_INTEGER, mod(rank + size - 1, size), i, MPI_COMM_WORLD, status, error)
    call MPI_Wait(request, status, error)
  end do
  call MPI_Allreduce(data, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  print '(A,I0,A,I0)', 'fortran rank=', rank, ' sends=3 recvs=3 collectives=2 sent=12 received=12 result=', total
  call MPI_Finalize(error)
end program
