/* Words for tests of traces: a file's header. */
#pragma once

/* 15 lines. */
#define HEADER(grid, block, version)                                                               \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (" grid ")\n-block dim = (" block ")\n"         \
    "-shmem = 64\n-nregs = 20\n-binary version = 70\n-something new = 5 x\n"                       \
    "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f3800000000\n"           \
    "-accelsim tracer version = " version "\n-enable lineinfo = 0\n\n#traces format = x\n\n"
