package account

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/prometheus/procfs"

	"plimsoll/internal/host/hostfs"
)

// StorageBytes returns the bytes that the processes of the account have read from storage and
// written to it, caches aside, as the kernel charges them (proc_pid_io(5)): a write when the page
// is made dirty. A process that was waited for is charged to its parent. The error wraps
// fs.ErrNotExist if the kernel keeps no such account.
func (t *Tree) StorageBytes() (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, err := t.stats()
	if err != nil {
		return 0, err
	}
	sum := int64(0)
	for pid := range t.members(all) {
		n, err := StorageBytes(t.root, pid)
		if errors.Is(err, fs.ErrNotExist) && pid != os.Getpid() {
			continue // it ended meanwhile
		}
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// StorageBytes returns the bytes of one process, with the children that it has waited for.
func StorageBytes(root hostfs.Root, pid int) (int64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	p, err := pfs.Proc(pid)
	if err != nil {
		return 0, fmt.Errorf("I/O of process %d: %w", pid, err)
	}
	io, err := p.IO()
	if err != nil {
		return 0, fmt.Errorf("I/O of process %d: %w", pid, err)
	}
	return int64(io.ReadBytes) + int64(io.WriteBytes) - io.CancelledWriteBytes, nil
}
