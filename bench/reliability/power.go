package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// powerCut takes the power away in mid-session: of its files there remains what was synced, and an arbitrary part of
// what was not. Each run that was reported before must be in it.
func powerCut(ctx context.Context, t *trial) outcome {
	disk, err := t.cutDisk()
	if err != nil {
		return outcome{broken: text(err)}
	}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(errors.Join(err, disk.unmount()))}
	}
	t.begun(r)
	time.Sleep(t.instant(lasts))
	said := r.said.Load()
	left := disk.cut(t.random.Float64)
	for _, pid := range append(t.agents(), r.cmd.Process.Pid) {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	code := r.wait()
	err = errors.Join(t.deserted(), disk.unmount())
	t.session = filepath.Join(t.dir, "after.plimsoll.jsonl")
	if err == nil && left != nil {
		err = os.WriteFile(t.session, left, 0o600)
	}
	before, kerr := t.kept(said)
	if kerr != nil {
		kerr = fmt.Errorf("after the power came back: %w", kerr)
	}
	if err = errors.Join(err, kerr); err == nil {
		err = t.whole(ctx, before)
	}
	return outcome{hit: code == -1 && said > 0, broken: text(err)}
}
