// A barrier in assembler code, which is in no function of the debug information.
static int a;

void assembled(void);

__attribute__((noinline)) static void similar(void)
{
    a++;
#pragma omp barrier // HERE barrier assembled
    a++;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    assembled();
    if (a > 0) {
        similar();
    }
    return 0;
}

__asm__(".text\n"
        "assembled:\n"
        "    .loc 1 10\n"
        "    subq $8, %rsp\n"
        "    call GOMP_barrier@PLT\n"
        "    addq $8, %rsp\n"
        "    ret\n");
