package highwayhash

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	library "github.com/minio/highwayhash"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
	"plimsoll/internal/workload/kernel/kerneltest"
	"plimsoll/internal/workload/workloadtest"
)

func resolved(t testing.TB, size string) workload.Params {
	t.Helper()
	return kerneltest.Params(t, Spec(), record.Params{"size": size})
}

func made(t testing.TB, size string) *lane {
	t.Helper()
	l, err := newLane(resolved(t, size), 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Free() })
	if err := l.Run(1); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestConformance(t *testing.T) {
	cases := []workloadtest.Case{{Name: "defaults", Digest: digestOf},
		{Name: "odd", Params: record.Params{"size": "10007B"}, Lanes: 2, Digest: digestOf}}
	if simtest.Night() {
		cases = append(cases, workloadtest.Case{Name: "large", Params: record.Params{"size": "100MB"}, Digest: digestOf})
	}
	workloadtest.Run(t, Spec(), cases...)
}

var update = flag.Bool("update", false, "write testdata")

// TestDigests holds every architecture and code path to the same sums. With
// -update it writes them.
func TestDigests(t *testing.T) {
	var got []string
	for _, seed := range []uint64{1, 0xfeedfacecafebeef} {
		for _, size := range []string{"4KiB", "10007B", "87382B", "128KiB", "256KiB"} {
			d, err := digestOf(seed, resolved(t, size))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%x %s %s", seed, size, d))
		}
	}
	kerneltest.Golden(t, got, *update)
}

// MinIO documents the origin of its key: a test of the reference that was not computed by us.
func TestReferenceMakesMinIOsKey(t *testing.T) {
	const decimals = "1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679"
	if got := referenceSum(make([]byte, 32), []byte(decimals)); hex.EncodeToString(got[:]) != keyText {
		t.Errorf("got %x, want %s", got, keyText)
	}
}

func TestLibraryIsTheReference(t *testing.T) {
	random := kernel.Random(5, 0, "test")
	key, data := make([]byte, 32), make([]byte, 300)
	random.Read(key)
	random.Read(data)
	for n := range data {
		if got, want := library.Sum(data[:n], key), referenceSum(key, data[:n]); got != want {
			t.Errorf("%d bytes: %x, and %x by the reference", n, got, want)
		}
	}
}

func TestVerify(t *testing.T) {
	for _, size := range []string{"4KiB", "4097B", "10031B"} {
		for what, damage := range map[string]func(*lane){
			"shard":           func(l *lane) { l.shard[2000] ^= 1 },
			"sum":             func(l *lane) { l.sum[31] ^= 1 },
			"another key":     func(l *lane) { l.key[0] ^= 1 },
			"no sum":          func(l *lane) { l.sum = nil },
			"nothing is done": func(l *lane) { l.hash = idle{l.hash} },
		} {
			l := made(t, size)
			if err := l.Verify(); err != nil {
				t.Errorf("%s: %v", size, err)
			}
			damage(l)
			if err := l.Verify(); err == nil {
				t.Errorf("%s: verify found nothing wrong with %s", size, what)
			}
		}
	}
}

// idle is a hash that leaves its sum as it was.
type idle struct{ hash.Hash }

func (idle) Sum(b []byte) []byte { return b[:32] }

func TestAllocatesNothing(t *testing.T) {
	l := made(t, "4KiB")
	if n := testing.AllocsPerRun(20, func() { l.Run(4) }); n != 0 {
		t.Errorf("%g allocations in 4 operations, want 0", n)
	}
}

func TestCheck(t *testing.T) {
	m := record.Machine{Memory: 1 << 20}
	if err := Spec().Check(resolved(t, "1MiB"), m); err != nil {
		t.Error(err)
	}
	if err := Spec().Check(resolved(t, "2MiB"), m); err == nil ||
		!strings.Contains(err.Error(), "\nhint: use a smaller highwayhash.size") {
		t.Errorf("got %v", err)
	}
}

func TestPathOfEveryCPU(t *testing.T) {
	for _, c := range []struct {
		cpu  abilities
		want string
	}{
		{abilities{arch: "amd64", avx2: true, sse4: true}, pathAVX2}, {abilities{arch: "amd64", sse4: true}, pathSSE4},
		{abilities{arch: "amd64"}, pathGeneric},
		{abilities{arch: "arm64", neon: true}, pathNEON}, {abilities{arch: "arm64", neon: true, sve: true}, pathSVE},
		{abilities{arch: "arm64"}, pathGeneric},
		{abilities{arch: "riscv64"}, pathGeneric},
	} {
		if got := c.cpu.path(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.cpu, got, c.want)
		}
	}
}

// TestPathIsWhatRuns asks the CPU profiler which of the library's functions run.
func TestPathIsWhatRuns(t *testing.T) {
	l, stated := made(t, "128KiB"), detect().path()
	ran := kerneltest.Functions(t, "github.com/minio/highwayhash", func() { l.Run(10) })
	t.Logf("%s: %v", stated, ran)
	found := false
	for path, prefix := range map[string]string{pathAVX2: "updateAVX2", pathSSE4: "updateSSE4", pathSVE: "updateArm64Sve",
		pathNEON: "updateArm64", pathGeneric: "updateGeneric"} {
		for _, f := range ran {
			if path == stated {
				found = found || strings.HasPrefix(f, prefix)
			} else if strings.HasPrefix(f, prefix) && stated != pathSVE {
				t.Errorf("%s is stated, %s ran", stated, f)
			}
		}
	}
	if !found {
		t.Errorf("%s is stated, but only %v ran", stated, ran)
	}
}

// TestPathObeysGODEBUG runs itself with the CPU's AVX2 hidden from the library, which must show in the path and the
// executed functions, but not in the sums.
func TestPathObeysGODEBUG(t *testing.T) {
	if os.Getenv("GODEBUG") == "cpu.avx2=off" {
		if path := detect().path(); path == pathAVX2 {
			t.Errorf("path %s without it", path)
		}
		TestDigests(t)
		TestPathIsWhatRuns(t)
		return
	}
	if detect().path() != pathAVX2 {
		t.Skip("this CPU has no AVX2 to hide")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestPathObeysGODEBUG$")
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off")
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this CPU is emulated, and the kernel does not know by what")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLibraryVersion(t *testing.T) {
	kerneltest.ModuleVersion(t, "github.com/minio/highwayhash", libraryVersion)
}

// digestOf returns the sums, in hex, that lanes 0 and 1 compute with this seed. It is the same on every architecture
// and code path.
func digestOf(seed uint64, p workload.Params) (string, error) {
	var sums []byte
	for i := range 2 {
		l, err := newLane(p, seed, i)
		if err != nil {
			return "", err
		}
		if err := errors.Join(l.Run(1), l.Free()); err != nil {
			return "", err
		}
		sums = append(sums, l.sum...)
	}
	return hex.EncodeToString(sums), nil
}
