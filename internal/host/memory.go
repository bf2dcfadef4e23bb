package host

import (
	"fmt"
	"io/fs"

	"github.com/prometheus/procfs"
)

// memoryBytes is the memory that the kernel manages, in bytes.
func memoryBytes(root Root) (int64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	m, err := pfs.Meminfo()
	if err != nil {
		return 0, err
	}
	if m.MemTotalBytes == nil {
		return 0, fmt.Errorf("MemTotal: %w", fs.ErrNotExist)
	}
	return int64(*m.MemTotalBytes), nil
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
