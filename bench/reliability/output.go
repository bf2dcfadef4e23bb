package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// written is a verb that replaces a file: its arguments with the place of that, and what is there before.
type written struct {
	verb string
	args func(path string) []string
	old  []byte
}

// outputs are the verbs that replace a file. Each has a directory for it of its own.
func (t *trial) outputs() ([]written, error) {
	session, err := os.ReadFile(t.session)
	if err != nil {
		return nil, err
	}
	prices := filepath.Join(t.dir, "some.csv")
	rows := "name,usd_per_hour,date\n"
	for _, name := range []string{"c6i.2xlarge", "m6gd.8xlarge", "m5d.8xlarge", "c6g.large", "m6g.large", "r5.large"} {
		rows += fmt.Sprintf("%s,0.%d,2026-01-02\n", name, 100+t.random.IntN(900))
	}
	if err := os.WriteFile(prices, []byte(rows), 0o600); err != nil {
		return nil, err
	}
	own := []byte("name,usd_per_hour,date,source\nm5.large,0.1,2026-01-01,ours\n")
	something := []byte(strings.Repeat("what was there before\n", 100))
	return []written{
		{"report", func(to string) []string { return []string{"report", t.session, "-o", to} }, something},
		{"export", func(to string) []string { return []string{"export", t.session, "--format", "csv", "-o", to} }, something},
		{"history", func(to string) []string {
			return []string{"history", filepath.Dir(t.session), "--format", "html", "-o", to}
		}, something},
		{"prices set", func(string) []string { return []string{"prices", "set", "r5.large=0.25"} }, own},
		{"prices import", func(string) []string { return []string{"prices", "import", prices} }, own},
		{"fetch", func(to string) []string { return []string{"fetch", t.session, "--on", "env", "-o", to} },
			session[:strings.LastIndex(string(session[:len(session)/2]), "\n")+1]},
	}, nil
}

// path returns where a verb writes, in a directory.
func (w written) path(dir string) string {
	switch verb, _, _ := strings.Cut(w.verb, " "); verb {
	case "prices":
		return filepath.Join(dir, "plimsoll", "prices.csv")
	case "fetch":
		return filepath.Join(dir, "fetched.plimsoll.jsonl")
	}
	return filepath.Join(dir, "out."+w.verb)
}

// output kills a verb while it replaces a file, or has the disk of that be full: there is the old file or the new one,
// whoever reads meanwhile reads one of the two, and nothing else is left.
func output(ctx context.Context, t *trial) outcome {
	t.session = filepath.Join(t.dir, "night", "s.plimsoll.jsonl")
	err := os.Mkdir(filepath.Dir(t.session), 0o755)
	if err == nil {
		err = t.small(ctx)
	}
	if err != nil {
		return outcome{broken: text(err)}
	}
	all, err := t.outputs()
	if err != nil {
		return outcome{broken: text(err)}
	}
	w := all[t.random.IntN(len(all))]
	good, err := t.replaced(ctx, w)
	if err != nil {
		return outcome{broken: text(fmt.Errorf("%s: %w", w.verb, err))}
	}
	full := t.random.IntN(3) == 0
	hit, err := t.disturbed(ctx, w, good, full)
	if err != nil {
		err = fmt.Errorf("%s, full disk %t: %w", w.verb, full, err)
	}
	return outcome{hit: hit, broken: text(errors.Join(err, t.deserted()))}
}

// small makes a session of two runs.
func (t *trial) small(ctx context.Context) error {
	t.replace = []string{"exec", "--set", "exec.command=true", "--replicates", "2"}
	r, err := t.start(ctx, false)
	if err != nil {
		return err
	}
	if code := r.wait(); code != 0 {
		return fmt.Errorf("exit code %d: %s", code, r.text.String())
	}
	return nil
}

// before puts the old file into a directory, and makes that the place of the user's own prices.
func (t *trial) before(w written, dir string) error {
	t.own = append(t.own, "XDG_CONFIG_HOME="+dir)
	path := w.path(dir)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, w.old, 0o600))
}

// replaced returns what the verb writes.
func (t *trial) replaced(ctx context.Context, w written) ([]byte, error) {
	dir := filepath.Join(t.dir, "good")
	if err := t.before(w, dir); err != nil {
		return nil, err
	}
	if got := t.captured(ctx, w.args(w.path(dir))); got.code != 0 {
		return nil, fmt.Errorf("undisturbed it ends with %d: %s", got.code, got.err)
	}
	return os.ReadFile(w.path(dir))
}

// disturbed has the verb write once more, and checks what comes of it.
func (t *trial) disturbed(ctx context.Context, w written, good []byte, full bool) (hit bool, err error) {
	dir := filepath.Join(t.dir, "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return false, err
	}
	if full {
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
			return false, fmt.Errorf("a small disk cannot be made: %w", err)
		}
		defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	}
	if err := t.before(w, dir); err != nil {
		return false, err
	}
	path := w.path(dir)
	if full {
		if err := fill(filepath.Join(dir, "full")); err != nil {
			return false, err
		}
	}
	args := append([]string{t.program}, w.args(path)...)
	if call := t.random.IntN(6); call < 5 && !full {
		args = append(struckAt([]string{"write", "fsync", "linkat", "renameat", "openat"}[call], path), args...)
	}
	r, err := t.command(ctx, args)
	if err != nil {
		return false, err
	}
	if args[0] == t.program && !full {
		time.AfterFunc(t.instant(300*time.Millisecond), func() { _ = r.cmd.Process.Kill() })
	}
	between := watched(r, path, w.old, good)
	code := r.wait()
	now, err := os.ReadFile(path)
	errs := []error{between, err, t.beside(path, good)}
	switch {
	case code == -2:
		errs = append(errs, errors.New("it hangs"))
	case string(now) != string(w.old) && !alike(now, good):
		errs = append(errs, fmt.Errorf("exit code %d, and the file has %d bytes, and is "+neitherFile+" of %d and %d", code,
			len(now), len(w.old), len(good)))
	case code == 0 && !alike(now, good):
		errs = append(errs, errors.New("exit code 0, and it is the old file"))
	case full && (code != 1 || string(now) != string(w.old)):
		errs = append(errs, fmt.Errorf("the disk was full, and the exit code is %d, the file new: %t: %s", code,
			string(now) != string(w.old), r.text.String()))
	}
	return full || code == -1, errors.Join(errs...)
}

// fill takes all that is left of a disk.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if errors.Is(err, unix.ENOSPC) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// struckAt has strace kill what follows as it enters a call about a path, or about what is beside it.
func struckAt(call, path string) []string {
	which := []string{"-P", path, "-P", filepath.Dir(path)}
	if call == "write" || call == "linkat" || call == "renameat" { // of a file without a name, or to one not known
		which = nil
	}
	return slices.Concat([]string{"strace", "-qqq", "-f", "-o", "/dev/null", "-e", "signal=none"}, which,
		[]string{"-e", "inject=" + call + ":signal=KILL:when=1"})
}

// alike reports whether two files are the same but for when they were written, which pages say to the minute and prices
// to the day.
func alike(a, b []byte) bool {
	if len(a) != len(b) || string(a) == string(b) {
		return len(a) == len(b)
	}
	when := regexp.MustCompile(`\d{4}-\d\d-\d\d( \d\d:\d\d)?`)
	return string(when.ReplaceAll(a, nil)) == string(when.ReplaceAll(b, nil))
}

// neitherFile is what a file is that holds a mixture, or a part.
const neitherFile = "neither the old one nor the new one"

// watched reads a file until a command has ended, and returns an error if it is neither the old nor the new one at some
// time.
func watched(r *running, path string, old, good []byte) error {
	for !r.over() {
		now, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("meanwhile: %w", err)
		}
		if string(now) != string(old) && !alike(now, good) {
			return fmt.Errorf("meanwhile the file has %d bytes, and is "+neitherFile+" of %d and %d", len(now), len(old),
				len(good))
		}
		time.Sleep(200 * time.Microsecond)
	}
	return nil
}

// beside returns an error for what is left beside a file: by a kill between two calls there may be one hidden file,
// which is whole.
func (t *trial) beside(path string, good []byte) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	hidden := 0
	for _, e := range entries {
		switch name := filepath.Join(filepath.Dir(path), e.Name()); {
		case name == path, e.Name() == "full":
		case strings.HasPrefix(e.Name(), ".plimsoll-"):
			text, rerr := os.ReadFile(name)
			if hidden++; hidden > 1 || rerr != nil || !alike(text, good) {
				err = errors.Join(err, rerr, fmt.Errorf("%s is left, with %d bytes", name, len(text)))
			}
		default:
			err = errors.Join(err, fmt.Errorf("%s is left", name))
		}
	}
	return err
}
