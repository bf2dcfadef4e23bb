// Package simtest says which tests `make test-fast` and an emulated CPU leave out, and which ones only the night runs.
package simtest

import (
	"math/rand/v2"
	"os"
	"testing"
)

// Emulated reports whether an emulator runs the tests, as `make test-arm64` says.
func Emulated() bool { return os.Getenv("PLIMSOLL_EMULATED") != "" }

// Long skips a test that takes a second or more, for a simulation or a measurement, in `make test-fast` and on an
// emulated CPU, where a simulation takes ten times as long: error rates, coverage and memory are properties of the
// method, and what differs between architectures, the arithmetic, is held to references by other tests.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds: run natively, without -short")
	}
}

// Night reports whether `make test-night` runs the tests: at true sizes and of every shape, where `make test` runs a
// part that can fail as well.
func Night() bool { return os.Getenv("PLIMSOLL_NIGHT") != "" }

// Times returns the repetitions of a simulation: all at night, and fewer by day, of which tests allow for the chance.
func Times(full, byDay int) int {
	if Night() {
		return full
	}
	return byDay
}

// Tenth returns every element at night, and else one in ten of them, at least one, which a seed chose that the log
// names.
func Tenth[E any](t testing.TB, all []E) []E {
	t.Helper()
	const seed = 49
	if Night() || len(all) < 2 {
		return all
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(all))))
	n := (len(all) + 9) / 10
	out := make([]E, 0, n)
	for _, at := range r.Perm(len(all))[:n] {
		out = append(out, all[at])
	}
	t.Logf("seed %d chose %d of %d; PLIMSOLL_NIGHT=1 tries all", seed, n, len(all))
	return out
}

// Forks skips a test that starts processes on an emulated CPU: QEMU before 8.0, as of Debian 12, may leave the child of
// a process with several threads waiting for ever (gitlab.com/qemu-project/qemu/-/issues/285), and with it the test.
func Forks(t testing.TB) {
	t.Helper()
	if Emulated() {
		t.Skip("it starts a process: run natively alone")
	}
}

// Stride is the step through every position of a file: 1 at night, and else a prime number.
func Stride() int {
	if Night() {
		return 1
	}
	return 13
}
