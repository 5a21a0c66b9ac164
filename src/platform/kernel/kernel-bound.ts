/** Pages of 64 KiB, 512 MiB in all: a frame that needs more takes the reference's slower way. A build for shared memory states it too. */
export const mostKernelPages = 8192;
