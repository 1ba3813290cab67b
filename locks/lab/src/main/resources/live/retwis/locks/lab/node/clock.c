/*
 * A wall clock that a lab can set while the program runs: for LD_PRELOAD. The file that LAB_CLOCK names holds two 64 bit
 * integers: microseconds to add, and by how many millionths the clock runs fast since the program began. Monotonic clocks, by which
 * programs wait, stay right.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct setting {
  volatile int64_t offset;
  volatile int64_t millionths;
};

static struct setting *setting;
static int64_t began;

static int64_t now(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
  return (int64_t) time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

__attribute__((constructor)) static void map(void) {
  const char *file = getenv("LAB_CLOCK");
  int descriptor = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  began = now();
  if (descriptor >= 0) {
    void *memory = mmap(NULL, sizeof(struct setting), PROT_READ, MAP_SHARED, descriptor, 0);
    setting = memory == MAP_FAILED ? NULL : memory;
    close(descriptor);
  }
}

static int64_t shown(void) {
  int64_t micros = now();
  if (setting) {
    micros += setting->offset + (int64_t) ((double) (micros - began) * setting->millionths / 1e6);
  }
  return micros;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME) {
    return syscall(SYS_clock_gettime, clock, time);
  }
  int64_t micros = shown();
  time->tv_sec = micros / 1000000;
  time->tv_nsec = micros % 1000000 * 1000;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int64_t micros = shown();
  (void) zone;
  time->tv_sec = micros / 1000000;
  time->tv_usec = micros % 1000000;
  return 0;
}
