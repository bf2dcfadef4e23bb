// Package simtest says which tests an emulated CPU need not repeat.
package simtest

import (
	"os"
	"testing"
)

// Emulated reports whether an emulator runs the tests, as `make test-arm64` says.
func Emulated() bool { return os.Getenv("PLIMSOLL_EMULATED") != "" }

// Native skips a simulation on an emulated CPU, where it takes ten times as long: error rates, coverage and memory are properties of
// the method, and what differs between architectures, the arithmetic, is held to references by other tests.
func Native(t testing.TB) {
	t.Helper()
	if Emulated() {
		t.Skip("a simulation: run natively alone")
	}
}

// Forks skips a test that starts processes on an emulated CPU: QEMU before 8.0, as of Debian 12, may leave the child of a process
// with several threads waiting for ever (gitlab.com/qemu-project/qemu/-/issues/285), and with it the test.
func Forks(t testing.TB) {
	t.Helper()
	if Emulated() {
		t.Skip("it starts a process: run natively alone")
	}
}

// Stride is the step through every position of a file: 1, and a prime number on an emulated CPU.
func Stride() int {
	if Emulated() {
		return 13
	}
	return 1
}
