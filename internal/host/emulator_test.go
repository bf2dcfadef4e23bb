package host

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestEmulatedHere runs natively and, with `GOARCH=arm64 go test -exec
// qemu-aarch64-static`, emulated. The kernel's name of this process tells which:
// qemu-user passes that file through.
func TestEmulatedHere(t *testing.T) {
	comm, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	want := ""
	if strings.HasPrefix(string(comm), "Name:\tqemu-") {
		want = qemuUser
	}
	got, err := Describe(t.Context(), System())
	if err != nil {
		t.Fatal(err)
	}
	if got.Emulated != want && got.Emulated != qemuTCG {
		t.Errorf("emulated %q, want %q", got.Emulated, want)
	}
	t.Logf("%s emulated by %q, features %v, unknown %q", runtime.GOARCH, got.Emulated, got.CPU.Features, got.Unknown)
	if want == qemuUser && len(got.CPU.Features) == 0 {
		t.Error("no features of the emulated CPU")
	}
}

func TestEmulator(t *testing.T) {
	elsewhere := Root{Proc: t.TempDir()}
	other := processor{vendor: "AuthenticAMD"}
	if runtime.GOARCH == "amd64" {
		other = processor{arm: true, implementer: 0x41}
	}
	tests := []struct {
		name string
		root Root
		virt string
		cpu  processor
		want string
	}{
		{"native", elsewhere, "kvm", processor{vendor: "GenuineIntel", model: "Xeon"}, ""},
		{"arm64", elsewhere, "", processor{arm: true, implementer: 0x41, part: 0xd0c}, ""},
		{"x86 under TCG", elsewhere, "tcg (QEMU)", processor{vendor: "AuthenticAMD"}, qemuTCG},
		{"x86 model", elsewhere, "", processor{model: "QEMU TCG CPU version 2.5+"}, qemuTCG},
		{"arm64 max core", elsewhere, "", processor{arm: true, part: qemuPart}, qemuTCG},
		{"cpuinfo of another architecture", System(), "", other, qemuUser},
	}
	for _, tt := range tests {
		if got := emulator(tt.root, tt.virt, []processor{tt.cpu}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestForeignImage(t *testing.T) {
	root := Root{Proc: t.TempDir()}
	if foreignImage(root) {
		t.Error("nothing readable must not be foreign")
	}
	t.Run("qemu behind the link", func(t *testing.T) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		task := taskDir(t, root)
		link(t, "/bin/program", root.proc("self/exe"))
		link(t, "/bin/program", task+"/exe")
		if foreignImage(root) {
			t.Error("one program must not be foreign")
		}
		os.Remove(task + "/exe")
		link(t, "/bin/qemu-x86_64", task+"/exe")
		if !foreignImage(root) {
			t.Error("another program must be foreign")
		}
	})
}

func TestHypervisorNames(t *testing.T) {
	for raw, want := range map[string]string{"KVMKVMKVM\x00\x00\x00": "kvm", "TCGTCGTCGTCG": "tcg", " lrpepyh  vr": "lrpepyh  vr"} {
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

func taskDir(t *testing.T, root Root) string {
	t.Helper()
	dir := root.proc("self/task", strconv.Itoa(unix.Gettid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}
