package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tidy returns an error for what a session has left in TMPDIR, and where its data were to lie.
func (t *trial) tidy() error { return t.tidyBut("plimsoll-new-") }

// tidyBut is tidy for names that do not begin as some may. A scratch directory that nobody has taken yet is left alone
// for an hour, since its agent may be about to; what the runs of a session share is left to its --resume.
func (t *trial) tidyBut(may ...string) error {
	var errs []error
	for name, dir := range map[string]string{"TMPDIR": "tmp", "its data's directory": "data"} {
		left, err := os.ReadDir(filepath.Join(t.dir, dir))
		left = slices.DeleteFunc(left, func(e os.DirEntry) bool {
			return slices.ContainsFunc(may, func(p string) bool { return strings.HasPrefix(e.Name(), p) })
		})
		if err == nil && len(left) > 0 {
			err = fmt.Errorf("%s and %d more are left in %s", left[0].Name(), len(left)-1, name)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// swept returns an error for what a session has left outside of its directory, where it had nothing to write, and for
// control groups that the next start, which removes what was killed, leaves.
func (t *trial) swept(ctx context.Context) error {
	groups := t.groups()
	if len(groups) > 0 {
		if err := t.next(ctx); err != nil {
			return err
		}
		groups = t.groups()
	}
	var err error
	if len(groups) > 0 {
		err = fmt.Errorf("after the next start control groups are left, such as %s", groups[0])
	}
	return errors.Join(err, t.strewn())
}

// groups returns the control groups that processes of the trial have made, which have their pid in their name, and that
// are still there.
func (t *trial) groups() []string {
	var out []string
	for _, parent := range ownGroups() {
		left, _ := filepath.Glob(filepath.Join(parent, "plimsoll-*"))
		for _, dir := range left {
			owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), "plimsoll-"), "-")
			if pid, err := strconv.Atoi(owner); err == nil && t.seen[pid] {
				out = append(out, dir)
			}
		}
	}
	return out
}

// ownGroups returns the control groups that this process is in, of each hierarchy, by cgroups(7), below which those of
// the program come.
func ownGroups() []string {
	text, _ := os.ReadFile("/proc/self/cgroup")
	var out []string
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		for _, controller := range append(strings.Split(fields[1], ","), "unified") {
			const all = "/sys/fs/cgroup"
			out = append(out, filepath.Join(all, controller, fields[2]), filepath.Join(all, controller))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// strewn returns an error for what a trial has left in /tmp, though TMPDIR is elsewhere: scratch of a run that is in
// its file, or what the JVM of one of its processes names after it.
func (t *trial) strewn() error {
	entries, err := os.ReadDir("/tmp")
	if err != nil {
		return err
	}
	c, err := readSession(t.session)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	plans := map[string]bool{}
	for id := range c.runs {
		plan, _, _ := strings.Cut(id, "-")
		plans[plan] = true
	}
	ours := regexp.MustCompile(`^\.?plimsoll-(?:keep-)?([0-9a-f]+)`)
	for _, e := range entries {
		m := ours.FindStringSubmatch(e.Name())
		pid, perr := strconv.Atoi(strings.TrimPrefix(e.Name(), ".java_pid"))
		if m != nil && plans[m[1]] || perr == nil && strings.HasPrefix(e.Name(), ".java_pid") && t.seen[pid] {
			return fmt.Errorf("/tmp/%s is left, though TMPDIR is elsewhere", e.Name())
		}
	}
	return nil
}
