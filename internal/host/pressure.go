package host

import (
	"fmt"
	"io/fs"

	"github.com/prometheus/procfs"
)

// pressure is for how many seconds since boot some task was stalled for want
// of a resource: "cpu", "io" or "memory".
func pressure(root Root, resource string) (float64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	stats, err := pfs.PSIStatsForResource(resource)
	if err != nil {
		return 0, err
	}
	if stats.Some == nil {
		return 0, fmt.Errorf("line some of pressure/%s: %w", resource, fs.ErrNotExist)
	}
	return float64(stats.Some.Total) / 1e6, nil
}
