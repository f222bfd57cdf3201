// The one ending that C does not have.
#include <stdexcept>

extern "C" void throw_exception(void);

void throw_exception(void)
{
    throw std::runtime_error("of the program");
}
