// stream copy|triad MS: copy (a = b) or triad (a = b + 3 c) over arrays of 128 MiB for that long, in the form of STREAM (J. D. McCalpin):
// whole passes of one loop over static arrays, 2 or 3 arrays' bytes counted for each. Unlike it, it prints the mean rate, and
// its arrays lie apart and on huge pages as those of workload memory do, so that both meet the same memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define N ((128L << 20) / (long)sizeof(double))
#define APART ((205L << 10) / (long)sizeof(double))

static double all[3 * N + 2 * APART] __attribute__((aligned(2 << 20)));
static double *a = all, *b = all + N + APART, *c = all + 2 * (N + APART);

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void copy(double *restrict x, const double *restrict y) {
	for (long i = 0; i < N; i++)
		x[i] = y[i];
}

static void triad(double *restrict x, const double *restrict y, const double *restrict z) {
	for (long i = 0; i < N; i++)
		x[i] = y[i] + 3.0 * z[i];
}

int main(int argc, char **argv) {
	if (argc != 3 || (strcmp(argv[1], "copy") && strcmp(argv[1], "triad"))) {
		fprintf(stderr, "usage: stream copy|triad MS\n");
		return 2;
	}
	int arrays = strcmp(argv[1], "copy") ? 3 : 2;
	madvise(all, sizeof all, MADV_HUGEPAGE);
	for (long i = 0; i < N; i++) {
		a[i] = 0;
		b[i] = i;
		if (arrays == 3)
			c[i] = 1;
	}
	double start = now(), end = start + atof(argv[2]) / 1000;
	long passes = 0;
	do {
		if (arrays == 2)
			copy(a, b);
		else
			triad(a, b, c);
		passes++;
	} while (now() < end);
	double took = now() - start;
	if (a[N - 1] != b[N - 1] + (arrays == 3 ? 3 : 0)) {
		fprintf(stderr, "stream: the last element is %g\n", a[N - 1]);
		return 1;
	}
	printf("BenchmarkStream 1 %.6f MB/s\n", passes * arrays * (double)N * sizeof(double) / took / 1e6);
}
