package noise

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/safchain/ethtool"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// exceeded ends the names of counters of packets that a NIC queued or dropped because the instance was over an
// allowance of its type: bw_in, bw_out, pps, conntrack and linklocal on Amazon's ENA ("Monitor network performance for
// ENA settings", Amazon EC2 User Guide).
const exceeded = "_allowance_exceeded"

// NICStats returns the driver's statistics of an interface, by name.
type NICStats func(name string) (map[string]uint64, error)

// Ethtool is the NICStats of this network namespace, as ethtool -S prints them; nil if the driver has none.
func Ethtool(name string) (map[string]uint64, error) {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return nil, err
	}
	defer e.Close()
	stats, err := e.Stats(name)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EPERM) ||
		errors.Is(err, unix.ENOSYS) {
		return nil, nil
	}
	return stats, err
}

// allowances returns the counters of exceeded allowances of a hardware interface; nil if its driver has none.
func allowances(root hostfs.Root, name string, stats NICStats) (map[string]uint64, error) {
	if _, err := os.Stat(root.SysPath("class/net", filepath.Base(name), "device")); err != nil {
		return nil, nil // virtual
	}
	all, err := stats(name)
	maps.DeleteFunc(all, func(counter string, _ uint64) bool { return !strings.HasSuffix(counter, exceeded) })
	return all, err
}
