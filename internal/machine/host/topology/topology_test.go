package topology

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
)

func placed(t *testing.T, files map[string]string) hostfs.Root {
	t.Helper()
	root := hostfs.Root{Sys: t.TempDir()}
	for name, text := range files {
		path := filepath.Join(root.Sys, "devices/system", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestNUMANodes(t *testing.T) {
	for text, want := range map[string][]int{"0-1\n": {0, 1}, "0,2\n": {0, 2}, "\n": {0}, "": {0}} {
		got, err := MemoryNodes(placed(t, map[string]string{"node/has_memory": text}))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	if got, err := MemoryNodes(hostfs.Root{Sys: t.TempDir()}); err != nil || !slices.Equal(got, []int{0}) {
		t.Errorf("without NUMA: %v, %v", got, err)
	}
	if got, err := MemoryNodes(placed(t, map[string]string{"node/has_memory": "zero\n"})); err == nil {
		t.Errorf("of words: %v", got)
	}
}

func TestSockets(t *testing.T) {
	files := map[string]string{}
	for cpu, socket := range []int{0, 1, 0, 1} {
		files[fmt.Sprintf("cpu/cpu%d/topology/physical_package_id", cpu)] = fmt.Sprintln(socket)
	}
	root := placed(t, files)
	for _, c := range []struct {
		cpus []int
		want int
	}{{nil, 0}, {[]int{0}, 1}, {[]int{0, 2}, 1}, {[]int{1, 3}, 1}, {[]int{0, 1, 2, 3}, 2}} {
		if got, err := CountSockets(root, c.cpus); err != nil || got != c.want {
			t.Errorf("%v: %d, %v, want %d", c.cpus, got, err, c.want)
		}
	}
	if _, err := CountSockets(root, []int{9}); err == nil {
		t.Error("a CPU that is not there has a socket")
	}
}

func TestCachesHere(t *testing.T) {
	caches, err := Caches(hostfs.System())
	if hostfs.NotHere(err) {
		t.Skip("this machine does not say what caches it has")
	}
	if err != nil || len(caches) == 0 || caches[0].Bytes <= 0 {
		t.Errorf("%v, %v", caches, err)
	}
}
