package host

import (
	"fmt"
	"io/fs"

	"github.com/prometheus/procfs"
)

// memoryBytes is the memory that the kernel manages, in bytes.
func memoryBytes(root Root) (int64, error) {
	return meminfo(root, "MemTotal", func(m procfs.Meminfo) *uint64 { return m.MemTotalBytes })
}

// availableBytes is what could be used without swapping, in bytes.
func availableBytes(root Root) (int64, error) {
	return meminfo(root, "MemAvailable", func(m procfs.Meminfo) *uint64 { return m.MemAvailableBytes })
}

func meminfo(root Root, name string, of func(procfs.Meminfo) *uint64) (int64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	m, err := pfs.Meminfo()
	if err != nil {
		return 0, err
	}
	bytes := of(m)
	if bytes == nil {
		return 0, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return int64(*bytes), nil
}

// swappedPages counts the pages swapped in and out since boot.
func swappedPages(root Root) (float64, error) {
	stat, err := readParsed(root.proc("vmstat"), parseFlat)
	if err != nil {
		return 0, err
	}
	in, ok1 := stat["pswpin"]
	out, ok2 := stat["pswpout"]
	if !ok1 || !ok2 {
		return 0, fmt.Errorf("pswpin and pswpout: %w", fs.ErrNotExist)
	}
	return float64(in) + float64(out), nil
}
