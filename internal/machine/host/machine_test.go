package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/cpuinfo"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
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
		want = cpuinfo.QEMUUser
	}
	got, err := Describe(t.Context(), hostfs.System())
	if err != nil {
		t.Fatal(err)
	}
	if got.Emulated != want && got.Emulated != cpuinfo.QEMUTCG {
		t.Errorf("emulated %q, want %q", got.Emulated, want)
	}
	t.Logf("%s emulated by %q, features %v, unknown %q", runtime.GOARCH, got.Emulated, got.CPU.Features, got.Unknown)
	if want == cpuinfo.QEMUUser && len(got.CPU.Features) == 0 {
		t.Error("no features of the emulated CPU")
	}
}

func TestDescribeFixtures(t *testing.T) {
	l := func(level int, kind string, bytes int64, n int) record.Cache {
		return record.Cache{Level: level, Type: kind, Bytes: bytes, Instances: n}
	}
	tests := map[string]struct {
		want    record.Machine
		unknown []string
	}{
		"vm-amd64": {record.Machine{
			Name: "vm", OS: "Debian GNU/Linux 12 (bookworm)", NUMA: 1, Memory: 24684092 << 10,
			CPU: record.CPU{Vendor: "AuthenticAMD", Model: "AMD EPYC", Core: "Zen 3 (Milan)", Stepping: "1",
				Microcode: "0x1000065",
				Sockets:   1, Cores: 2, Threads: 2, ThreadsPerCore: 1, MHz: 2445.43, SocketCPUs: []string{"0-1"},
				CoreCPUs: []string{"0", "1"},
				Features: []string{"adx", "aes", "avx", "avx2", "bmi2", "erms", "fsrm", "pclmulqdq", "sha_ni", "sse4_2", "vaes",
					"vpclmulqdq"},
				Caches: []record.Cache{l(1, "data", 32<<10, 2), l(1, "instruction", 32<<10, 2), l(2, "unified", 512<<10, 2),
					l(3, "unified", 32<<20, 1)}},
			NodeCPUs: []string{"0-1"},
			Settings: record.Settings{SMT: "notsupported", THP: "madvise", THPDefrag: "madvise",
				ClockSource: "tsc", ClockSources: []string{"tsc", "kvm-clock"}, Mitigations: map[string]string{
					"spec_rstack_overflow": "Vulnerable: Safe RET, no microcode", "spec_store_bypass": "Vulnerable",
					"spectre_v1": "Mitigation: usercopy/swapgs barriers and __user pointer sanitization",
					"spectre_v2": "Mitigation: Retpolines; STIBP: disabled; RSB filling; PBRSB-eIBRS: Not affected; BHI: Not affected",
				}},
			Disks:  []record.Disk{{Name: "vda", Bytes: 256 << 30, Rotational: true, Scheduler: "mq-deadline"}},
			NICs:   []record.NIC{{Name: "eth0", Driver: "virtio_net", MTU: 1400, Up: true}},
			Cgroup: record.Cgroup{Version: 1, Writable: true},
		}, []string{"dmi", "run delay"}},
		"smt-numa": {record.Machine{
			Name: "c6i.metal", Host: "numa", OS: "Ubuntu 22.04.4 LTS", NUMA: 2, Memory: 131903012 << 10,
			Cloud: record.Cloud{Provider: "aws", Type: "c6i.metal"}, NodeCPUs: []string{"0-1,4-5", "2-3,6-7"},
			CPU: record.CPU{Vendor: "GenuineIntel", Model: "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", Core: "Ice Lake-SP",
				Stepping: "6",
				Sockets:  2, Cores: 4, Threads: 8, ThreadsPerCore: 2, MHz: 3200, SocketCPUs: []string{"0-1,4-5", "2-3,6-7"},
				CoreCPUs: []string{"0,4", "1,5", "2,6", "3,7"},
				Features: []string{"aes", "avx", "avx2", "avx512bw", "avx512f", "avx512vl", "gfni", "pclmulqdq", "sha_ni", "sse4_2",
					"vaes", "vpclmulqdq"},
				Caches: []record.Cache{l(1, "data", 48<<10, 4), l(1, "instruction", 32<<10, 4), l(2, "unified", 1280<<10, 4),
					l(3, "unified", 48<<20, 2)}},
		}, []string{"cgroup", "run delay"}},
		"arm64-v2": {record.Machine{
			Name: "c7g.large", Host: "ip-10-0-0-7", OS: `Amazon Linux "2023"`, NUMA: 1, Memory: 3922816 << 10,
			Virt:  "Amazon EC2 c7g.large",
			Cloud: record.Cloud{Provider: "aws", Type: "c7g.large"},
			CPU: record.CPU{Vendor: "ARM", Model: "Neoverse V1 r1p1", Core: "Neoverse V1", Stepping: "r1p1", Sockets: 1,
				Cores: 2, Threads: 2, ThreadsPerCore: 1,
				SocketCPUs: []string{"0-1"}, CoreCPUs: []string{"0", "1"}, SVEBits: 256,
				Features: []string{"aes", "asimd", "asimddp", "atomics", "bf16", "crc32", "i8mm", "ilrcpc", "lrcpc", "pmull", "rng",
					"sha1", "sha2",
					"sha3", "sha512", "sm3", "sm4", "sve", "svebf16", "svei8mm", "uscat"},
				Caches: []record.Cache{l(1, "data", 64<<10, 2), l(1, "instruction", 64<<10, 2), l(2, "unified", 1<<20, 2),
					l(3, "unified", 32<<20, 1)}},
			Cgroup: record.Cgroup{Version: 2, CPUQuota: 1.5, MemoryLimit: 1 << 30, Writable: true},
		}, []string{"run delay"}},
		"biglittle": {record.Machine{
			Name: "board", OS: "Alpine", NUMA: 1, Memory: 3921816 << 10,
			CPU: record.CPU{Vendor: "ARM", Model: "4x Cortex-A53 r0p4, 2x Cortex-A72 r0p2", Core: "4x Cortex-A53, 2x Cortex-A72",
				Stepping: "2x r0p2, 4x r0p4",
				Sockets:  1, Cores: 6, Threads: 6, ThreadsPerCore: 1, SocketCPUs: []string{"0-5"}, CoreCPUs: []string{"0", "1", "2",
					"3", "4", "5"},
				Features: []string{"aes", "asimd", "crc32", "pmull", "sha1", "sha2"}, Caches: []record.Cache{}},
		}, []string{"caches", "dmi", "cgroup", "boot id", "run delay", "identity"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Describe(t.Context(), hosttest.Fixture(t, name))
			if err != nil {
				t.Fatal(err)
			}
			checkUnknown(t, got.Unknown, tt.unknown)
			if hidden := slices.Contains(tt.unknown, "boot id"); (got.State.Boot == "") != hidden {
				t.Errorf("boot %q", got.State.Boot)
			}
			if got.Emulated != "" || got.Kernel == "" || len(got.ID) != 12 {
				t.Errorf("emulated %q, kernel %q, id %q", got.Emulated, got.Kernel, got.ID)
			}
			want := tt.want
			want.Format, want.Arch, want.Kernel, want.ID = record.Format, runtime.GOARCH, got.Kernel, got.ID
			want.CPU.Allowed, want.State, want.Software, want.Unknown = got.CPU.Allowed, got.State, got.Software, got.Unknown
			want.Warnings, want.Facts = got.Warnings, got.Facts // each fact has a test of its own
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func checkUnknown(t *testing.T, got, sources []string) {
	t.Helper()
	if len(got) != len(sources) {
		t.Fatalf("unknown %q, want %q", got, sources)
	}
	for i, source := range sources {
		if want := source + ": not readable: not here"; got[i] != want &&
			!(source == "identity" && strings.HasPrefix(got[i], "identity: neither a machine id nor a firmware UUID")) {
			t.Errorf("unknown %q, want %s not here", got[i], source)
		}
	}
}

func TestDescribeBroken(t *testing.T) {
	root := hosttest.Fixture(t, "vm-amd64")
	hosttest.Write(t, root.ProcPath("cpuinfo"), "cpu MHz: 1\n")
	hosttest.Write(t, root.SysPath("devices/system/cpu/cpu1/cache/index2/size"), "huge\n")
	got, err := Describe(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cpuinfo: no processor is listed", `"huge\n" is not a size`} {
		if !slices.ContainsFunc(got.Unknown, func(u string) bool {
			return strings.Contains(u, "not readable") && strings.Contains(u, strings.TrimPrefix(want, "cpuinfo: "))
		}) {
			t.Errorf("unknown %q lacks %q", got.Unknown, want)
		}
	}
	if got.CPU.Model != "" || len(got.CPU.Caches) != 0 || got.CPU.Cores != 2 {
		t.Errorf("cpu %+v: what is broken must be empty, the rest must stay", got.CPU)
	}
}

func TestDescribeNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := Describe(t.Context(), hostfs.Root{Proc: dir, Sys: filepath.Join(dir, "sys"), Etc: filepath.Join(dir, "etc")})
	if err == nil || !strings.Contains(err.Error(), "\nhint: ") || !hostfs.NotHere(err) {
		t.Errorf("error %v, want causes and a hint", err)
	}
}

func TestDescribeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Describe(ctx, hosttest.Fixture(t, "vm-amd64")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
}

func TestDescribeThisMachine(t *testing.T) {
	a, err := Describe(t.Context(), hostfs.System())
	if err != nil {
		t.Fatal(err)
	}
	b, err := Describe(t.Context(), hostfs.System())
	if err != nil {
		t.Fatal(err)
	}
	if a.ID != b.ID || len(a.ID) != 12 {
		t.Errorf("ids %q and %q of one machine", a.ID, b.ID)
	}
	name, _ := os.Hostname()
	if a.Name != name && a.Host != name || a.Memory <= 0 || a.CPU.Threads < len(a.CPU.Allowed) ||
		len(a.CPU.Allowed) < runtime.GOMAXPROCS(0) {
		t.Errorf("machine %+v", a)
	}
	t.Logf("%+v", a)
}
