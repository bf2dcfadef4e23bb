// Package storage reads the disks of a machine: which there are, which one a file lies on, and their counters over
// time.
package storage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// sectorBytes is the unit of a block device's size, whatever its sectors are.
const sectorBytes = 512

// Disks lists the drives and arrays: devices that hardware, or a hypervisor's
// idea of it, stands behind, and those of md. Loop devices, RAM disks and
// mappings store nothing by themselves.
func Disks(root hostfs.Root) []record.Disk {
	entries, _ := os.ReadDir(root.SysPath("block"))
	var out []record.Disk
	for _, e := range entries {
		dir := root.SysPath("block", e.Name())
		if !hostfs.IsDir(filepath.Join(dir, "device")) && !hostfs.IsDir(filepath.Join(dir, "md")) {
			continue
		}
		if d := readDisk(dir); d.Bytes > 0 {
			out = append(out, d)
		}
	}
	return out
}

// readDisk reads no serial number: it would name one machine.
func readDisk(dir string) record.Disk {
	d := record.Disk{Name: filepath.Base(dir)}
	d.Model, _ = hostfs.ReadText(filepath.Join(dir, "device/model"))
	d.Kind = diskKind(d.Model)
	if sectors, err := hostfs.ReadNumber(filepath.Join(dir, "size")); err == nil {
		d.Bytes = sectors * sectorBytes
	}
	rotational, _ := hostfs.ReadText(filepath.Join(dir, "queue/rotational"))
	d.Rotational = rotational == "1"
	d.Scheduler, _ = hostfs.ReadParsed(filepath.Join(dir, "queue/scheduler"), kernfmt.Choice)
	d.RAID, _ = hostfs.ReadText(filepath.Join(dir, "md/level"))
	if d.RAID != "" {
		d.Members = members(dir)
	}
	return d
}

// members lists an array's devices, by name: "slaves" holds a link to each, and
// md a directory dev-NAME.
func members(dir string) []string {
	paths, _ := filepath.Glob(filepath.Join(dir, "md/dev-*"))
	out := list.Map(paths, func(p string) string { return strings.TrimPrefix(filepath.Base(p), "dev-") })
	slices.Sort(out)
	return out
}

// diskKinds names the kinds of storage of clouds that sell several, by model.
func diskKinds() map[string]string {
	return map[string]string{
		"Amazon Elastic Block Store":       "EBS",
		"Amazon EC2 NVMe Instance Storage": "instance store",
		"PersistentDisk":                   "persistent disk",
		"nvme_card-pd":                     "persistent disk",
		"EphemeralDisk":                    "local SSD",
		"Microsoft NVMe Direct Disk":       "local SSD",
	}
}

func diskKind(model string) string {
	for prefix, kind := range diskKinds() {
		if strings.HasPrefix(model, prefix) {
			return kind
		}
	}
	return ""
}
