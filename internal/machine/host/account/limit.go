package account

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// noLimitV1 is the least number of bytes that cgroup version 1 means "no limit"
// with: it writes the largest multiple of a page that fits a signed long.
const noLimitV1 = 1 << 60

// parseCPUMax reads cpu.max, "150000 100000" or "max 100000": the quota in
// CPUs, 0 for none.
func parseCPUMax(b []byte) (float64, error) {
	fields := strings.Fields(string(b))
	if len(fields) != 2 {
		return 0, fmt.Errorf("%.60q is not a quota and a period", b)
	}
	period, err := strconv.ParseUint(fields[1], 10, 63)
	if err != nil || period == 0 {
		return 0, fmt.Errorf("period %.30q is not a positive number", fields[1])
	}
	if fields[0] == "max" || fields[0] == "-1" {
		return 0, nil
	}
	quota, err := strconv.ParseUint(fields[0], 10, 63)
	if err != nil {
		return 0, fmt.Errorf("quota %.30q is not a number", fields[0])
	}
	return float64(quota) / float64(period), nil
}

// parseMemoryMax reads memory.max or memory.limit_in_bytes, 0 for no limit.
func parseMemoryMax(b []byte) (int64, error) {
	text := strings.TrimSpace(string(b))
	if text == "max" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is not a number of bytes", text)
	}
	if n >= noLimitV1 {
		return 0, nil
	}
	return int64(n), nil
}

// Limits returns the limits of this process: the tightest of its group and of those that it is in.
func Limits(root hostfs.Root) (record.Cgroup, error) {
	cpu, errCPU := own(root, "cpu")
	out := record.Cgroup{Version: cpu.version}
	if errCPU == nil {
		out.CPUQuota, errCPU = tightest(cpu, cgroup.cpuQuota)
	}
	memory, errMem := own(root, "memory")
	if errMem == nil {
		out.MemoryLimit, errMem = tightest(memory, cgroup.memoryLimit)
	}
	out.Writable = groupsAllowed(root)
	return out, errors.Join(errCPU, errMem)
}

// tightest returns the smallest limit of a group's levels; 0 is none, and a level without the file
// (the root of version 2) has none.
func tightest[T int64 | float64](g cgroup, read func(cgroup, string) (T, error)) (T, error) {
	var least T
	for _, dir := range g.levels() {
		limit, err := read(g, dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		if limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least, nil
}

func (g cgroup) cpuQuota(dir string) (float64, error) {
	if g.version == 2 {
		return hostfs.ReadParsed(filepath.Join(dir, "cpu.max"), parseCPUMax)
	}
	quota, err := hostfs.ReadText(filepath.Join(dir, "cpu.cfs_quota_us"))
	if err != nil {
		return 0, err
	}
	period, err := hostfs.ReadText(filepath.Join(dir, "cpu.cfs_period_us"))
	if err != nil {
		return 0, err
	}
	return parseCPUMax([]byte(quota + " " + period))
}

func (g cgroup) memoryLimit(dir string) (int64, error) {
	name := "memory.max"
	if g.version == 1 {
		name = "memory.limit_in_bytes"
	}
	return hostfs.ReadParsed(filepath.Join(dir, name), parseMemoryMax)
}

// groupsAllowed reports whether this user may make groups; it makes none.
func groupsAllowed(root hostfs.Root) bool {
	for _, controller := range []string{"", "cpuacct"} {
		g, err := own(root, controller)
		if err == nil && unix.Access(g.dir, unix.W_OK) == nil {
			return true
		}
	}
	return false
}
