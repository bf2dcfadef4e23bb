package kept

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/workload"
)

const (
	scratchPrefix = "plimsoll-"
	// newPrefix begins the name of a scratch directory that nobody holds yet.
	newPrefix = scratchPrefix + "new-"
	// newUnused exceeds the time that creating one takes.
	newUnused = time.Hour
)

// OpenScratch creates the scratch directory of an order and holds it. It is renamed to its final name only once held,
// so that one without a holder belongs to a dead agent.
func OpenScratch(orderID string) (*Keep, error) {
	dir, err := os.MkdirTemp(os.TempDir(), newPrefix)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, workload.Enterable); err != nil {
		return nil, err
	}
	k, err := hold(dir, unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	k.Dir = ScratchDir(orderID)
	if err := os.Rename(dir, k.Dir); err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// RemoveDead ends and removes what trials left whose agent was killed together with its client. Failures are left for
// the next time.
func RemoveDead(ctx context.Context) {
	account.RemoveStale(hostfs.System())
	removeUnused()
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(os.TempDir(), e.Name())
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), newPrefix) &&
			time.Since(info.ModTime()) > newUnused {
			removeHeldBy(ctx, dir, "")
		} else if order, ok := orderOf(e.Name()); ok {
			removeHeldBy(ctx, dir, order)
		}
	}
}

// orderOf returns the order whose scratch directory has that name.
func orderOf(name string) (string, bool) {
	order, ok := strings.CutPrefix(name, scratchPrefix)
	return order, ok && regexp.MustCompile(`^[0-9a-f]+-r-?\d+-[-0-9a-z.]+$`).MatchString(order)
}

// removeHeldBy removes a scratch directory that its agent no longer holds, and kills what the order left running.
func removeHeldBy(ctx context.Context, dir, order string) {
	// One without a lock belongs to an older version, which may still be running, unless it is all that is left: an agent
	// was killed as it removed it.
	if _, err := os.Lstat(filepath.Join(dir, keepLock)); err != nil {
		_ = unix.Rmdir(dir)
		return
	}
	k, err := hold(dir, unix.LOCK_EX)
	if err != nil {
		return
	}
	defer k.Close()
	if order != "" {
		_ = procs.KillMarked(ctx, workload.MarkVar+"="+order)
	}
	_ = procs.KillNameless(dir)
	_ = RemoveScratch(dir)
}

// RemoveScratch removes a scratch directory, its lock last: if it is cut short, the next agent knows it as one of ours.
func RemoveScratch(dir string) error { return workload.RemoveAll(dir, keepLock) }

// ScratchError returns the error of a scratch directory that cannot be made.
func ScratchError(err error) error {
	return fmt.Errorf("creating the run's scratch directory: %w\nhint: set TMPDIR to put it elsewhere", err)
}

// ScratchDir returns the directory for the files of the order's trial.
func ScratchDir(orderID string) string {
	return filepath.Join(os.TempDir(), "plimsoll-"+orderID)
}

// CleanUp kills what the order's trial left running here, and removes its files; again if its agent said that it has
// done so.
func CleanUp(order string, again bool) {
	kill := procs.KillMarked
	if again {
		kill = procs.KillMarkedAgain
	}
	_ = kill(context.Background(), workload.MarkVar+"="+order)
	_ = RemoveScratch(ScratchDir(order))
}
