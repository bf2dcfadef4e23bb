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
	}
}

// meddle does something to the file in mid-session: every run that was reported is in it, or in a file beside it, or the
// session ends with an error.
func meddle(ctx context.Context, t *trial) outcome {
	names := []string{"remove", "move", "truncate", "halve", "append", "replace", "directory"}
	name := names[t.random.IntN(len(names))]
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	wanted := 1 + t.random.IntN(ordered-2)
	for deadline := time.Now().Add(patience); r.said.Load() < int64(wanted) && time.Now().Before(deadline); {
		time.Sleep(2 * time.Millisecond)
	}
	hit := r.said.Load() < ordered && meddlings()[name](t.session) == nil
	code := r.wait()
	said := int(r.said.Load())
	most, err := t.mostRuns()
	err = errors.Join(err, t.deserted())
	switch {
	case code == -2:
		err = errors.Join(err, errors.New("it hangs"))
	case code == 0 && most < max(said, ordered):
		err = errors.Join(err, fmt.Errorf("%s: exit code 0, %d runs reported, and %d in one file: %s", name, said, most, r.text.String()))
	case code != 0 && most < said && name != "truncate" && name != "halve":
		err = errors.Join(err, fmt.Errorf("%s: exit code %d, %d runs reported, and %d in one file: %s", name, code, said, most, r.text.String()))
	}
	return outcome{hit: hit, broken: text(err)}
}

// mostRuns returns the number of runs in that file of the trial that has the most.
func (t *trial) mostRuns() (int, error) {
	most := 0
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
		}
		return err
	})
	return most, err
}
