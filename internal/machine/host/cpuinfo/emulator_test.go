package cpuinfo

import (
	"os"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

func TestEmulator(t *testing.T) {
	elsewhere := hostfs.Root{Proc: t.TempDir()}
	other := Processor{vendor: "AuthenticAMD"}
	if runtime.GOARCH == "amd64" {
		other = Processor{arm: true, implementer: 0x41}
	}
	tests := []struct {
		name string
		root hostfs.Root
		virt string
		cpu  Processor
		want string
	}{
		{"native", elsewhere, "kvm", Processor{vendor: "GenuineIntel", model: "Xeon"}, ""},
		{"arm64", elsewhere, "", Processor{arm: true, implementer: 0x41, part: 0xd0c}, ""},
		{"x86 under TCG", elsewhere, "tcg (QEMU)", Processor{vendor: "AuthenticAMD"}, QEMUTCG},
		{"x86 model", elsewhere, "", Processor{model: "QEMU TCG CPU version 2.5+"}, QEMUTCG},
		{"arm64 max core", elsewhere, "", Processor{arm: true, part: qemuPart}, QEMUTCG},
		{"cpuinfo of another architecture", hostfs.System(), "", other, QEMUUser},
	}
	for _, tt := range tests {
		if got := Emulator(tt.root, tt.virt, []Processor{tt.cpu}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestForeignImage(t *testing.T) {
	root := hostfs.Root{Proc: t.TempDir()}
	if foreignImage(root) {
		t.Error("nothing readable must not be foreign")
	}
	t.Run("qemu behind the link", func(t *testing.T) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		task := taskDir(t, root)
		hosttest.Link(t, "/bin/program", root.ProcPath("self/exe"))
		hosttest.Link(t, "/bin/program", task+"/exe")
		if foreignImage(root) {
			t.Error("one program must not be foreign")
		}
		os.Remove(task + "/exe")
		hosttest.Link(t, "/bin/qemu-x86_64", task+"/exe")
		if !foreignImage(root) {
			t.Error("another program must be foreign")
		}
	})
}

func TestHypervisorNames(t *testing.T) {
	for raw, want := range map[string]string{"KVMKVMKVM\x00\x00\x00": "kvm", "TCGTCGTCGTCG": "tcg",
		" lrpepyh  vr": "lrpepyh  vr"} {
		if got := hypervisorName(raw); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
	for product, want := range map[string]bool{
		"Amazon EC2 m7g.large": true, "Amazon EC2 c6i.metal": false, "Dell Inc. PowerEdge": false, "QEMU Standard PC": true,
		"Microsoft Corporation Virtual Machine": true, "Microsoft Corporation Surface": false, "": false,
	} {
		if got := virtualProduct(product); got != want {
			t.Errorf("virtualProduct(%q) = %v", product, got)
		}
	}
}

func taskDir(t *testing.T, root hostfs.Root) string {
	t.Helper()
	dir := root.ProcPath("self/task", strconv.Itoa(unix.Gettid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
