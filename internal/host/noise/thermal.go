package noise

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"plimsoll/internal/host/hostfs"
)

// slowedByHeat counts since boot how often a CPU was slowed down for the heat of its core or of its
// package, once for each CPU. Only Intel's processors count it (Linux
// drivers/thermal/intel/therm_throt.c), and virtual machines hide it. ThermalThrottle of
// procfs/sysfs fails if a CPU has one of the two files alone.
func slowedByHeat(root hostfs.Root) (float64, error) {
	files, err := filepath.Glob(root.SysPath("devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("thermal_throttle of the CPUs: %w", fs.ErrNotExist)
	}
	sum := 0.0
	for _, f := range files {
		n, err := hostfs.ReadNumber(f)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f, err)
		}
		sum += float64(n)
	}
	return sum, nil
}
