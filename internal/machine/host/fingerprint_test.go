package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func TestFingerprintSeesOnlyStableFacts(t *testing.T) {
	root := hosttest.Fixture(t, "vm-amd64")
	base := record.Machine{Name: "a", Host: "a", Arch: "arm64", Memory: 4 << 30, CPU: record.CPU{Model: "m", Threads: 2}}
	id, err := fingerprint(root, base)
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(*record.Machine)) string {
		m := base
		f(&m)
		id, _ := fingerprint(root, m)
		return id
	}
	same := []string{
		change(func(m *record.Machine) { m.State.Load1 = 9 }),
		change(func(m *record.Machine) { m.Memory += 1 << 20 }),
		change(func(m *record.Machine) { m.Cgroup.CPUQuota, m.Kernel = 2, "7.0" }),
		change(func(m *record.Machine) { m.Name, m.Host = "b", "b" }),
	}
	nameless, err := fingerprint(hosttest.Fixture(t, "biglittle"), base)
	if err == nil {
		t.Error("a board without a machine id is told from others by its name, and that is not said")
	}
	other := []string{
		change(func(m *record.Machine) { m.Arch = "amd64" }),
		change(func(m *record.Machine) { m.CPU.Threads = 4 }),
		change(func(m *record.Machine) { m.CPU.Model = "n" }),
		change(func(m *record.Machine) { m.Memory += 1 << 30 }),
		nameless,
	}
	for i, got := range same {
		if got != id {
			t.Errorf("same[%d]: id changed", i)
		}
	}
	for i, got := range other {
		if got == id {
			t.Errorf("other[%d]: id did not change", i)
		}
	}
	base.Host = "b"
	if got, _ := fingerprint(hosttest.Fixture(t, "biglittle"), base); got == nameless {
		t.Error("two boards without a machine id have one identity")
	}
}

// TestOrigin: the instance's id, the machine id, the firmware's UUID, in this order, and nothing that a maker left as
// filler.
func TestOrigin(t *testing.T) {
	const (
		machineID = "4c4c4544004b3510805ac7c04f4d3132"
		uuid      = "EC2E1916-9099-7CAF-FD21-012345ABCDEF"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"an instance": {map[string]string{"asset": "i-0123456789abcdef0\n", "id": machineID, "uuid": uuid},
			"i-0123456789abcdef0"},
		"a machine id":    {map[string]string{"asset": "Not Specified", "id": machineID + "\n", "uuid": uuid}, machineID},
		"firmware":        {map[string]string{"id": "", "uuid": uuid}, strings.ToLower(uuid)},
		"a guest of Xen":  {map[string]string{"xen": uuid, "id": machineID}, strings.ToLower(uuid)},
		"the host of Xen": {map[string]string{"xen": "00000000-0000-0000-0000-000000000000", "id": machineID}, machineID},
		"not yet":         {map[string]string{"id": "uninitialized\n"}, ""},
		"filler": {map[string]string{"id": strings.Repeat("0", 32), "uuid": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"},
			""},
		"an asset's label": {map[string]string{"asset": "i-like-this"}, ""},
		"nothing":          {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			root := hostfs.Root{Proc: filepath.Join(dir, "proc"), Sys: filepath.Join(dir, "sys"), Etc: filepath.Join(dir, "etc")}
			for file, path := range map[string]string{
				"asset": root.SysPath("class/dmi/id/board_asset_tag"), "uuid": root.SysPath("class/dmi/id/product_uuid"),
				"xen": root.SysPath("hypervisor/uuid"),
				"id":  filepath.Join(root.Etc, "machine-id"),
			} {
				if text, ok := c.files[file]; ok {
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					hosttest.Write(t, path, text)
				}
			}
			got, err := origin(root)
			if got != c.want || (err != nil) != (c.want == "") {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
			if id, _ := fingerprint(root, record.Machine{}); c.want != "" && strings.Contains(id, c.want) {
				t.Errorf("the identity %s holds %s", id, c.want)
			}
		})
	}
}
