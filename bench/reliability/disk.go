package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/sys/unix"
)

// safe matches how many runs a session on a full disk says it has.
func safe() *regexp.Regexp { return regexp.MustCompile(`runs safe in it: (\d+)`) }

// appended is in how many of a hundred trials another program appends to the session while its disk fills up.
const appended = 10

// append has another program append lines to the session once a run has been reported, until it has its fill or the
// disk is full, and returns how many whole lines there are of it.
func (t *trial) append(r *running, lines int) (int, error) {
	await(patience, func() bool { return r.said.Load() > 0 || r.over() })
	f, err := os.OpenFile(t.session, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for i := range lines {
		if n, err := f.WriteString(foreignLine + "\n"); n <= len(foreignLine) {
			if errors.Is(err, unix.ENOSPC) || err == nil {
				return i, nil
			}
			return i, err
		}
	}
	return lines, nil
}

// fullDisk gives a session a disk of a few pages.
func fullDisk(ctx context.Context, t *trial) outcome {
	disk := filepath.Join(t.dir, "disk")
	pages := 2 + t.random.IntN(3) // a session of six runs takes four
	err := os.Mkdir(disk, 0o755)
	if err == nil {
		err = unix.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", 4*pages))
	}
	if err != nil {
		return outcome{broken: "a small disk cannot be made: " + err.Error()}
	}
	defer func() { _ = unix.Unmount(disk, unix.MNT_DETACH) }()
	t.session = filepath.Join(disk, "s.plimsoll.jsonl")
	others := t.random.IntN(100) < appended
	t.apart = t.apart || others // so that runs are left to be written after their lines
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	foreign := 0
	if others {
		foreign, err = t.append(r, 1+t.random.IntN(pages*4096/len(foreignLine)))
	}
	code := r.wait()
	before, kerr := t.kept(r.said.Load())
	hit := before.planned && (code != 0 || before.valid() < t.runs)
	if err = errors.Join(err, kerr); err == nil && before.foreign < foreign {
		err = fmt.Errorf("of %d lines that another program appended %d are left", foreign, before.foreign)
	}
	if err == nil && hit {
		err = r.truthful(code, before)
	}
	if err == nil && hit && before.torn {
		err = errors.New("the last one torn: true")
	}
	err = errors.Join(err, t.deserted())
	if err == nil {
		err = unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, "size=16m")
	}
	if err == nil {
		err = t.whole(ctx, before)
	}
	return outcome{hit: hit, broken: text(err)}
}

// truthful checks what a session says that could not write on.
func (r *running) truthful(code int, c content) error {
	said := safe().FindStringSubmatch(r.text.String())
	switch {
	case code != 1:
		return fmt.Errorf("exit code %d though it could not write: %s", code, r.text.String())
	case said == nil:
		return fmt.Errorf("it does not say how many runs are safe: %s", r.text.String())
	case said[1] != strconv.Itoa(len(c.runs)):
		return fmt.Errorf("%q, and %d are in the file", said[0], len(c.runs))
	case c.damaged > 0:
		return fmt.Errorf("%d damaged lines", c.damaged)
	}
	return nil
}

// ioError has one write or sync of a session fail, or each call after it too, as a disk's that is gone.
func ioError(ctx context.Context, t *trial) outcome {
	disk, err := t.cutDisk()
	if err != nil {
		return outcome{broken: text(err)}
	}
	call := []string{"write", "fsync"}[t.random.IntN(2)]
	disk.breaks(&ioFault{call: call, k: 2 + t.random.IntN(ordered+2), dead: t.random.IntN(2) == 0})
	out := outcome{}
	r, err := t.start(ctx, false)
	if err == nil {
		out, err = t.afterError(ctx, r, disk)
	}
	out.broken = text(errors.Join(err, disk.unmount()))
	return out
}

// afterError checks what is left on a disk with an error, and what comes of it on the disk when it is whole again.
func (t *trial) afterError(ctx context.Context, r *running, disk *cutDisk) (outcome, error) {
	code := r.wait()
	bad := disk.breaks(nil)
	before, err := t.kept(r.said.Load())
	hit := bad.calls >= bad.k && before.planned
	err = errors.Join(err, t.deserted())
	if err == nil && bad.calls >= bad.k && code == 0 {
		err = fmt.Errorf("a %s failed, and the exit code is 0", bad.call)
	}
	if err == nil && hit {
		err = r.truthful(code, before)
	}
	if err == nil && hit && before.torn && !bad.dead {
		err = errors.New("the last line is torn")
	}
	if err == nil {
		err = t.whole(ctx, before)
	}
	return outcome{hit: hit}, err
}
