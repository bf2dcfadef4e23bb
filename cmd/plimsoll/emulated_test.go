package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plimsoll/internal/base/simtest"
)

// TestEmulatedTarget measures on an arm64 target, which qemu-user stands in for,
// and compares it with this machine: the fingerprint finds the emulator, and an
// emulated figure gets no verdict.
func TestEmulatedTarget(t *testing.T) {
	if !simtest.Night() {
		t.Skip("it builds the whole program for arm64, which is then emulated: PLIMSOLL_NIGHT=1")
	}
	if _, err := exec.LookPath("qemu-aarch64-static"); err != nil {
		t.Skip("qemu-aarch64-static is not installed: make setup")
	}
	t.Parallel()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "plimsoll-arm64"), ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building for arm64: %v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{"testdata/emulated/target.txtar"},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ARM64", filepath.Join(dir, "plimsoll-arm64"))
			return nil
		},
		Cmds: commands(),
	})
}
