package power

import (
	"path/filepath"

	"plimsoll/internal/base/process"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// ipmi returns the power of the whole board by its management controller, if the kernel has a driver for that and
// ipmitool is installed. Only root may open the device.
func ipmi(root hostfs.Root) []source {
	devices, _ := filepath.Glob(root.SysPath("class/ipmi/ipmi*"))
	if len(devices) == 0 {
		return nil
	}
	path, err := process.Locate("", "ipmitool")
	if err != nil {
		return nil
	}
	return []source{{
		domain: record.Power{Name: "IPMI", Scope: record.ScopeBoard, Source: record.PowerIPMI},
		argv:   []string{path, "dcmi", "power", "reading"}, device: "/dev/" + filepath.Base(devices[0]),
	}}
}
