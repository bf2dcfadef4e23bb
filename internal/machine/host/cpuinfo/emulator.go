package cpuinfo

import (
	"debug/elf"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// The emulators of the CPU, as in record.Machine.Emulated.
const (
	QEMUUser = "qemu-user"
	QEMUTCG  = "tcg"
)

// The MIDR implementer and part that QEMU gives to its own "max" core, which
// no hypervisor can run: target/arm/tcg/cpu64.c.
const (
	qemuImplementer = 0x00
	qemuPart        = 0x051
)

// Emulator returns the emulator of the CPU that runs this process, or "".
func Emulator(root hostfs.Root, virt string, cpus []Processor) string {
	if foreignImage(root) {
		return QEMUUser
	}
	if len(cpus) == 0 {
		return ""
	}
	first := cpus[0]
	switch {
	case root.Live() && first.Arch() != "" && first.Arch() != runtime.GOARCH:
		return QEMUUser
	case virt == tcgVendor, strings.HasPrefix(virt, tcgVendor+" "):
		return QEMUTCG
	case strings.HasPrefix(first.model, "QEMU TCG"):
		return QEMUTCG
	case first.arm && first.implementer == qemuImplementer && first.part == qemuPart:
		return QEMUTCG
	}
	return ""
}

// foreignImage reports whether the kernel runs another program than this one.
// qemu-user answers for /proc/self/exe with the emulated program, but passes the
// same link of a thread on to the kernel, which names qemu itself.
func foreignImage(root hostfs.Root) bool {
	image := root.ProcPath("self/task", strconv.Itoa(unix.Gettid()), "exe")
	if machine, err := elfMachine(image); err == nil && machine != ownMachine() {
		return true
	}
	shown, err1 := os.Readlink(root.ProcPath("self/exe"))
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
