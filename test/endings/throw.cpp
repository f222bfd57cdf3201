// Ends a program by an exception, which C cannot throw.
#include <stdexcept>

extern "C" void throw_exception(void);

void throw_exception(void)
{
    throw std::runtime_error("of the program");
}
