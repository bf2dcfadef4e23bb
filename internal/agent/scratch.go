package agent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host"
	"plimsoll/internal/workload"
)

const (
	scratchPrefix = "plimsoll-"
	// newPrefix begins the name of a scratch directory that nobody holds yet.
	newPrefix = scratchPrefix + "new-"
	// newUnused is how long making one never takes.
	newUnused = time.Hour
)

// openScratch makes the scratch directory of an order and holds it: it has its name from the moment it is held, so that one
// that nobody holds is a dead agent's.
func openScratch(orderID string) (*keep, error) {
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
	k.dir = scratchDir(orderID)
	if err := os.Rename(dir, k.dir); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// sweepDead ends and removes what trials have left whose agent was killed together with its client. What cannot be
// removed stays for the next time.
func sweepDead(ctx context.Context) {
	host.RemoveStale(host.System())
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(os.TempDir(), e.Name())
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), newPrefix) && time.Since(info.ModTime()) > newUnused {
			removeHeldBy(ctx, dir, "")
		} else if order, ok := orderOf(e.Name()); ok {
			removeHeldBy(ctx, dir, order)
		}
	}
}

// orderOf is the order whose scratch directory has that name.
func orderOf(name string) (string, bool) {
	order, ok := strings.CutPrefix(name, scratchPrefix)
	return order, ok && regexp.MustCompile(`^[0-9a-f]+-r\d+-[-0-9a-z.]+$`).MatchString(order)
}

// removeHeldBy removes a scratch directory whose agent holds it no longer, and ends what the order has left running.
func removeHeldBy(ctx context.Context, dir, order string) {
	// One without a lock is an older version's, which may be at work there.
	if _, err := os.Lstat(filepath.Join(dir, keepLock)); err != nil {
		return
	}
	k, err := hold(dir, unix.LOCK_EX)
	if err != nil {
		return
	}
	defer k.close()
	if order != "" {
		_ = host.KillMarked(ctx, MarkVar+"="+order)
	}
	_ = host.KillNameless(dir)
	_ = workload.RemoveAll(dir)
}

func scratchError(err error) error {
	return fmt.Errorf("making the trial's scratch directory: %w\nhint: TMPDIR says where", err)
}
