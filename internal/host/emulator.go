package host

import (
	"debug/elf"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// What can emulate the CPU, as in record.Machine.Emulated.
const (
	qemuUser = "qemu-user"
	qemuTCG  = "tcg"
)

// The MIDR implementer and part that QEMU gives to its own "max" core, which
// no hypervisor can run: target/arm/tcg/cpu64.c.
const (
	qemuImplementer = 0x00
	qemuPart        = 0x051
)

// emulator says what emulates the CPU that runs this process, or "".
func emulator(root Root, virt string, cpus []processor) string {
	if foreignImage(root) {
		return qemuUser
	}
	if len(cpus) == 0 {
		return ""
	}
	first := cpus[0]
	switch {
	case root.live() && first.arch() != "" && first.arch() != runtime.GOARCH:
		return qemuUser
	case virt == tcgVendor, strings.HasPrefix(virt, tcgVendor+" "):
		return qemuTCG
	case strings.HasPrefix(first.model, "QEMU TCG"):
		return qemuTCG
	case first.arm && first.implementer == qemuImplementer && first.part == qemuPart:
		return qemuTCG
	}
	return ""
}

// foreignImage reports whether the kernel runs another program than this one.
// qemu-user answers for /proc/self/exe with the emulated program, but passes the
// same link of a thread on to the kernel, which tells of qemu itself.
func foreignImage(root Root) bool {
	image := root.proc("self/task", strconv.Itoa(unix.Gettid()), "exe")
	if machine, err := elfMachine(image); err == nil && machine != ownMachine() {
		return true
	}
	shown, err1 := os.Readlink(root.proc("self/exe"))
	real, err2 := os.Readlink(image)
	return err1 == nil && err2 == nil && shown != real
}

func elfMachine(path string) (elf.Machine, error) {
	f, err := elf.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Machine, nil
}

func ownMachine() elf.Machine {
	if runtime.GOARCH == "arm64" {
		return elf.EM_AARCH64
	}
	return elf.EM_X86_64
}
