! The commands of a program to its tool: otter/control.h for Fortran. Compile this file with the program;
! no library is needed. Functions return the results of control.h, and -2 (no tool) also before the first
! parallel region of LLVM's runtime. otter_control.inc contains the numbers.
module otter_control
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_int, c_loc, &
    c_null_char, c_null_ptr, c_ptr
  implicit none
  private :: c_associated, c_char, c_f_procpointer, c_funptr, c_int, c_loc, c_null_char, c_null_ptr, c_ptr
  private :: control_tool, find_function, command
  include 'otter_control.inc'

  abstract interface
    integer(c_int) function control_tool(command, modifier, arg) bind(c)
      import :: c_int, c_ptr
      integer(c_int), value :: command, modifier
      type(c_ptr), value :: arg
    end function
  end interface

  interface
    ! Only LLVM's runtime defines omp_control_tool; the program may be linked with another one.
    type(c_funptr) function find_function(scope, name) bind(c, name="dlsym")
      import :: c_funptr, c_ptr, c_char
      type(c_ptr), value :: scope
      character(kind=c_char), intent(in) :: name(*)
    end function
  end interface

contains

  integer function command(number, text)
    integer, intent(in) :: number
    character(len=*), intent(in), optional :: text
    procedure(control_tool), pointer :: call_tool
    type(c_funptr) :: found
    character(kind=c_char), allocatable, target :: copy(:)
    integer :: i
    command = otter_control_no_tool
    found = find_function(c_null_ptr, "omp_control_tool" // c_null_char)
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_tool)
    if (present(text)) then
      allocate(copy(len(text) + 1))
      do i = 1, len(text)
        copy(i) = text(i:i)
      end do
      copy(len(text) + 1) = c_null_char
      command = call_tool(int(number, c_int), 0_c_int, c_loc(copy))
    else
      command = call_tool(int(number, c_int), 0_c_int, c_null_ptr)
    end if
  end function

  integer function otter_start()
    otter_start = command(otter_command_start)
  end function

  integer function otter_pause()
    otter_pause = command(otter_command_pause)
  end function

  integer function otter_flush()
    otter_flush = command(otter_command_flush)
  end function

  integer function otter_end()
    otter_end = command(otter_command_end)
  end function

  integer function otter_phase_begin(name)
    character(len=*), intent(in) :: name
    otter_phase_begin = command(otter_command_phase_begin, name)
  end function

  integer function otter_phase_end()
    otter_phase_end = command(otter_command_phase_end)
  end function

  integer function otter_mark_moment(text)
    character(len=*), intent(in) :: text
    otter_mark_moment = command(otter_command_mark, text)
  end function

  integer function otter_query()
    otter_query = command(otter_command_query)
  end function

end module
