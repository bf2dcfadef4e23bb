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
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	code := r.wait()
	before, err := t.kept(r.said.Load())
	hit := code != 0 && before.planned
	if err == nil && hit {
		said := safe().FindStringSubmatch(r.text.String())
		switch {
		case code != 1:
			err = fmt.Errorf("exit code %d on a full disk: %s", code, r.text.String())
		case said == nil:
			err = fmt.Errorf("it does not say how many runs are safe: %s", r.text.String())
		case said[1] != strconv.Itoa(len(before.runs)):
			err = fmt.Errorf("%q, and %d are in the file", said[0], len(before.runs))
		case before.damaged > 0 || before.torn:
			err = fmt.Errorf("%d damaged lines, the last one torn: %t", before.damaged, before.torn)
		}
	}
	err = errors.Join(err, t.deserted())
	if err == nil {
		err = unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, "size=16m")
	}
	if err == nil {
		err = t.whole(ctx, before)
	}
	return outcome{hit, text(err)}
}
