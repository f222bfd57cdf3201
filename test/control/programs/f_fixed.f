C     The numbers alone, in fixed form, with the runtime's own function:
C     its interface is that of LLVM's omp_lib, which gfortran has not.
      program f_fixed
      implicit none
      include 'otter/otter_control.inc'
      interface
        integer function omp_control_tool(command, modifier, arg)
     &      bind(c)
          integer, value :: command, modifier
          integer, optional :: arg
        end function
      end interface
      integer results(6)
!$omp parallel
!$omp end parallel
      results(1) = omp_control_tool(otter_command_query, 0)
      results(2) = omp_control_tool(otter_command_phase_begin, 5)
      results(3) = omp_control_tool(otter_command_phase_end, 0)
      results(4) = omp_control_tool(otter_command_phase_end, 0)
      results(5) = omp_control_tool(otter_command_pause, 0)
      results(6) = omp_control_tool(otter_command_mark, 0)
      print '(6i4)', results
      end program
