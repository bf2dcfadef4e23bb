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

// meddlings are what other programs do to a file that is being written.
func meddlings() map[string]func(path string) error {
	return map[string]func(string) error{
		"remove":   os.Remove,
		"move":     func(p string) error { return os.Rename(p, p+".moved") },
		"truncate": func(p string) error { return os.Truncate(p, 0) },
		"halve": func(p string) error {
			st, err := os.Stat(p)
			if err != nil {
				return err
			}
			return os.Truncate(p, st.Size()/2)
		},
		"append": func(p string) error {
			f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("what another program writes")
			return errors.Join(err, f.Close())
		},
		"replace": func(p string) error {
			if err := os.WriteFile(p+".new", []byte("another file\n"), 0o600); err != nil {
				return err
			}
			return os.Rename(p+".new", p)
		},
		"directory": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
		"close":     func(p string) error { return os.Chmod(p, 0) },
		"protect":   func(p string) error { return os.Chmod(p, 0o444) },
	}
}

// meddles does something to the session's file; a report of it into itself is one of the things.
func (t *trial) meddles(ctx context.Context, name string) (bool, error) {
	if name != "report" {
		return meddlings()[name](t.session) == nil, nil
	}
	r, err := t.command(ctx, []string{t.program, "report", t.session, "-o", t.session})
	if err != nil {
		return false, err
	}
	if code := r.wait(); code != 2 {
		return true, fmt.Errorf("a report onto the session ends with %d: %s", code, r.text.String())
	}
	return true, nil
}

// meddle does something to the file in mid-session: with exit code 0 one file has all of its runs; else the error names
// the file, and one has as many runs as it says are safe. What nobody but the meddler destroyed is there in any case.
func meddle(ctx context.Context, t *trial) outcome {
	names := []string{"remove", "move", "truncate", "halve", "append", "replace", "directory", "close", "protect",
		"report"}
	name := names[t.random.IntN(len(names))]
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	wanted := 1 + t.random.IntN(ordered-2)
	await(patience, func() bool { return r.said.Load() >= int64(wanted) })
	hit, err := false, error(nil)
	if r.said.Load() < ordered {
		hit, err = t.meddles(ctx, name)
	}
	spared := t.spared(name)
	code := r.wait()
	most, all, rerr := t.runsLeft()
	err = errors.Join(err, rerr, t.deserted())
	for id := range spared {
		if !all[id] {
			err = errors.Join(err, fmt.Errorf("%s: exit code %d, and the run %s, which it had left, is in no file", name, code,
				id))
		}
	}
	switch {
	case code == -2:
		err = errors.Join(err, errors.New("it hangs"))
	case code == 0 && most < max(int(r.said.Load()), ordered):
		err = errors.Join(err, fmt.Errorf("%s: exit code 0, %d runs reported, and %d in one file: %s", name, r.said.Load(),
			most, r.text.String()))
	case code != 0:
		if safe, named := r.ended(t.session); !named || most < safe {
			err = errors.Join(err, fmt.Errorf("%s: exit code %d, the file is named: %t, %d runs are said to be safe, and %d in "+
				"one file: %s", name, code, named, safe, most, r.text.String()))
		}
	}
	return outcome{hit: hit, broken: text(err)}
}

// spared returns the runs that a meddler has left in the file, which are few after some.
func (t *trial) spared(name string) map[string]line {
	c, err := readSession(t.session)
	if err != nil || name == "replace" || name == "directory" {
		return nil
	}
	return c.runs
}

// ended returns how many runs a session that others have changed says are safe, and whether it names the file.
func (r *running) ended(path string) (safe int, named bool) {
	said := regexp.MustCompile(`write (\S+): it was (?:removed|renamed|replaced|cut short|overwritten) while ` +
		`it was written` +
		`.*; runs safe in it: (\d+), finished and not saved: \d+`).FindSubmatch(r.text.Bytes())
	if said == nil {
		return 0, false
	}
	safe, _ = strconv.Atoi(string(said[2]))
	return safe, string(said[1]) == path
}

// runsLeft returns the number of runs in that file of the trial that has the most, and the runs of all files.
func (t *trial) runsLeft() (int, map[string]bool, error) {
	most, all := 0, map[string]bool{}
	err := filepath.WalkDir(t.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if unix.Access(path, unix.R_OK) != nil {
			return nil
		}
		c, err := readSession(path)
		if err == nil {
			most = max(most, len(c.runs))
			for id := range c.runs {
				all[id] = true
			}
		}
		return err
	})
	return most, all, err
}
