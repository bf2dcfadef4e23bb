package aesgcm

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel/kerneltest"
)

func TestCheck(t *testing.T) {
	gib := record.Machine{Memory: 1 << 30, CPU: record.CPU{Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}}
	limited := gib
	limited.Cgroup.MemoryLimit = 100 << 20
	for name, c := range map[string]struct {
		set     record.Params
		machine record.Machine
		want    string
	}{
		"defaults":            {record.Params{}, gib, ""},
		"128 bits":            {record.Params{"bits": "128"}, gib, ""},
		"sio":                 {record.Params{"library": "sio"}, gib, ""},
		"sio with 128 bits":   {record.Params{"library": "sio", "bits": "128"}, gib, "only 256-bit keys"},
		"more than there is":  {record.Params{"size": "100MB", "cpus": "all"}, gib, "on each of 8 CPUs"},
		"more than allowed":   {record.Params{"size": "100MB"}, limited, "104857600 bytes of memory that its cgroup allows"},
		"sio needs one block": {record.Params{"size": "100MB", "library": "sio"}, limited, ""},
		"unknown memory":      {record.Params{"size": "100MB", "cpus": "all"}, record.Machine{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := Spec().Check(resolved(t, c.set), c.machine)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("got %v, want %q and a hint", err, c.want)
			}
		})
	}
}

func TestSIOVersion(t *testing.T) {
	kerneltest.ModuleVersion(t, "github.com/minio/sio", sioVersion)
}

func TestKeys(t *testing.T) {
	for library, want := range map[string]string{libraryGCM: "go crypto/cipher", librarySIO: "minio/sio " + sioVersion} {
		d, err := Spec().New(workload.Env{CPUs: []int{0}}, resolved(t, record.Params{"library": library}))
		if err != nil {
			t.Fatal(err)
		}
		keys := d.(workload.Keyer).Keys()
		if keys[keyLibrary] != want || keys[record.KeyPath] != path() {
			t.Errorf("%s: got %v", library, keys)
		}
	}
}

func TestTraffic(t *testing.T) {
	for name, c := range map[string]struct {
		set  record.Params
		want float64
	}{
		"a tag of 16 bytes":        {record.Params{"size": "1KiB"}, 2 + 16.0/1024},
		"the same, opened":         {record.Params{"size": "1KiB", "op": opOpen}, 2 + 16.0/1024},
		"32 bytes for each 64 KiB": {record.Params{"size": "1MiB", "library": librarySIO}, 2 + 32.0/65536},
	} {
		if got := traffic(resolved(t, c.set)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPathObeysGODEBUG runs itself with the CPU's AES instructions hidden from
// Go, which must show in the path and nowhere in the bytes.
func TestPathObeysGODEBUG(t *testing.T) {
	if os.Getenv("GODEBUG") == "cpu.aes=off" {
		if path() != pathGeneric {
			t.Errorf("path %s without aes, want %s", path(), pathGeneric)
		}
		TestDigests(t)
		return
	}
	t.Logf("path here: %s", path())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestPathObeysGODEBUG$")
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.aes=off")
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this CPU is emulated, and the kernel does not know by what")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
