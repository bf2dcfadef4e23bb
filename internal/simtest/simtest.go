// Package simtest says which tests `make test-fast` and an emulated CPU leave out.
package simtest

import (
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

// Forks skips a test that starts processes on an emulated CPU: QEMU before 8.0, as of Debian 12, may leave the child of
// a process with several threads waiting for ever (gitlab.com/qemu-project/qemu/-/issues/285), and with it the test.
func Forks(t testing.TB) {
	t.Helper()
	if Emulated() {
		t.Skip("it starts a process: run natively alone")
	}
}

// Stride is the step through every position of a file: 1, and a prime number with -short.
func Stride() int {
	if testing.Short() {
		return 13
	}
	return 1
}
