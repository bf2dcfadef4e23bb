package knob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/owed"
)

// Dir is where a host keeps what is owed to it, and who holds which setting. It belongs to root, and is emptied by a
// reboot, as the settings are.
const Dir = "/run/plimsoll"

const (
	lockPrefix = "lock-"
	// lease is how long a setting stays a session's between two of its runs.
	lease = 5 * time.Second
	// restoring exceeds the time that the watchdog of a killed agent takes to put back a setting.
	restoring = time.Second
	patience  = 2*lease + 5*time.Second
	lockPoll  = 20 * time.Millisecond
)

// Held are settings that nobody else may change meanwhile, with the values found.
type Held struct {
	root    hostfs.Root
	session string // "" only looks
	all     []held
}

type held struct {
	Setting
	lock  *os.File
	state owed.File
	found map[string]string // by path
}

// InUse reports that another session has a setting.
type InUse struct{ Name, Place, Session string }

func (e InUse) Error() string {
	return fmt.Sprintf("%s is in use by another session of plimsoll (%s)\nhint: wait until that one has ended; of a run "+
		"that was killed it is free after %v", labelled(e.Name, e.Place), e.Session, lease)
}

func labelled(name, place string) string {
	if place == "" {
		return name
	}
	return name + " of " + place
}

// Take holds settings for a session, and reads them; a kernel that takes no value of one says so now, since each is
// written as it is. Nothing is changed. base is Dir, except in tests.
func Take(ctx context.Context, root hostfs.Root, base, session string, settings []Setting) (*Held, error) {
	dir, err := stateDir(root, base)
	if err != nil {
		return nil, err
	}
	h := &Held{root: root, session: session}
	for _, s := range settings {
		lock, err := take(ctx, dir, session, s)
		if err != nil {
			h.Close()
			return nil, err
		}
		one := held{Setting: s, lock: lock, state: owed.In(dir, nameOf(s))}
		err = putBack(root, one.state) // by the watchdog if that was killed too
		if err == nil {
			err = one.read()
		}
		h.all = append(h.all, one)
		if err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// stateDir returns the directory of this boot, making it if needed.
func stateDir(root hostfs.Root, base string) (string, error) {
	boot, err := hostfs.ReadText(root.ProcPath("sys/kernel/random/boot_id"))
	if err != nil || boot == "" || !filepath.IsLocal(boot) {
		return "", errors.Join(err, errors.New("the kernel has no boot_id, by which is known what is owed to it"))
	}
	for _, dir := range []string{base, filepath.Join(base, boot)} {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", Explained(err)
		}
		var st unix.Stat_t
		if err := unix.Lstat(dir, &st); err != nil {
			return "", err
		}
		if st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() || st.Mode&0o022 != 0 {
			return "", fmt.Errorf("%s is not a directory of this user that nobody else can write to\nhint: look at what is in "+
				"it, and remove it", dir)
		}
	}
	return filepath.Join(base, boot), nil
}

// nameOf returns a name of a setting that holds no slash.
func nameOf(s Setting) string { return url.PathEscape(strings.TrimSuffix(s.Name+":"+s.Place, ":")) }

// take waits until no other session has a setting, and holds it.
func take(ctx context.Context, dir, session string, s Setting) (*os.File, error) {
	path := filepath.Join(dir, lockPrefix+nameOf(s))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, Explained(err)
	}
	held := time.Duration(0) // by a run of another session, as against a watchdog that puts back
	for end := time.Now().Add(patience); ctx.Err() == nil; time.Sleep(lockPoll) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		holder := holderOf(f)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			if holder != session {
				held += lockPoll
			}
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("hold %s: %w", labelled(s.Name, s.Place), err)
		case holder == session || holder == "" || !leased(f):
			return f, hold(f, session)
		default: // the other session is between two of its runs, or was killed a moment ago
			if err := unix.Flock(int(f.Fd()), unix.LOCK_UN); err != nil {
				f.Close()
				return nil, fmt.Errorf("hold %s: %w", labelled(s.Name, s.Place), err)
			}
		}
		if held > restoring || time.Now().After(end) {
			f.Close()
			return nil, InUse{s.Name, s.Place, holder}
		}
	}
	f.Close()
	return nil, ctx.Err()
}

// hold notes which session has a setting; "" is one that only looks.
func hold(f *os.File, session string) error {
	if session == "" {
		return nil
	}
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("note who has a setting: %w", err)
	}
	if _, err := f.WriteAt([]byte(session), 0); err != nil {
		return fmt.Errorf("note who has a setting: %w", err)
	}
	return nil
}

// holderOf returns the session that had a setting last; "" if that has ended.
func holderOf(f *os.File) string {
	text := make([]byte, 64)
	n, _ := f.ReadAt(text, 0) // an empty file is of nobody
	return strings.TrimSpace(string(text[:n]))
}

// leased reports whether the session that had a setting last may be between two of its runs.
func leased(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && time.Since(info.ModTime()).Abs() < lease
}

// read reads the values of a setting, and tries whether the kernel takes any.
func (s *held) read() error {
	s.found = map[string]string{}
	var kept []File
	for _, f := range s.Files {
		value, err := read(f.Path)
		if err != nil {
			return lacking(s.Place, f.Path, err)
		}
		s.found[f.Path] = value
		if f.Want != "" && f.Want != value {
			err = write(f.Path, value)
		}
		if f.Managed && Kept(err) {
			continue // the kernel has spread it
		}
		if err != nil {
			return Refusal{s.Name, s.Value, fmt.Errorf("%s: %w", f.Path, Explained(err))}
		}
		kept = append(kept, f)
	}
	s.Files = kept
	return nil
}

// Explained adds to an error of writing a kernel's file what it means.
func Explained(err error) error {
	switch {
	case Kept(err):
		return fmt.Errorf("%w: the kernel manages it by itself, as interrupts of NVMe queues", err)
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("%w: it is mounted read-only, as in a container without --privileged", err)
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return fmt.Errorf("%w: settings of the machine are root's", err)
	}
	return err
}

// Kept reports whether the kernel keeps a value to itself (EIO). Newer kernels, such as 6.18, answer EPERM for an
// interrupt, to those who were allowed to open its file.
func Kept(err error) bool {
	var at *fs.PathError
	return errors.Is(err, unix.EIO) || errors.Is(err, unix.EPERM) && errors.As(err, &at) && at.Op == "write" &&
		filepath.Base(at.Path) == affinityList
}

// changes returns the files that have to be written.
func (s held) changes() []File {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f File) bool { return f.Want == "" || f.Want == s.found[f.Path] })
}

// Owed returns the files of what will be owed once Change has begun; none if there is nothing to change.
func (h *Held) Owed() []owed.File {
	var out []owed.File
	for _, s := range h.all {
		if len(s.changes()) > 0 {
			out = append(out, s.state)
		}
	}
	return out
}

// Locks returns the open files that hold the settings. Whoever inherits them holds the settings too.
func (h *Held) Locks() []*os.File {
	var out []*os.File
	for _, s := range h.all {
		out = append(out, s.lock)
	}
	return out
}

// Keep writes what will be owed, before anything is changed.
func (h *Held) Keep() error {
	for _, s := range h.all {
		if len(s.changes()) == 0 {
			continue
		}
		if err := s.state.Keep(s.found); err != nil {
			return err
		}
	}
	return nil
}

// Change brings the values into force, and reads each back: a kernel may ignore or round it.
func (h *Held) Change() error {
	for _, s := range h.all {
		for _, f := range s.changes() {
			if err := write(f.Path, f.Want); err != nil {
				return Refusal{s.Name, s.Value, fmt.Errorf("%s: %w", f.Path, Explained(err))}
			}
		}
	}
	return h.Verify()
}

// Verify returns an error unless every setting has the value that it is to have: those that are left as they are, the
// one that was found.
func (h *Held) Verify() error {
	for _, s := range h.all {
		for _, f := range s.Files {
			want := f.Want
			if want == "" {
				want = s.found[f.Path]
			}
			is, err := read(f.Path)
			switch {
			case err != nil:
				return lacking(s.Place, f.Path, err)
			case is == want:
			default:
				return s.unlike(f, is, want)
			}
		}
	}
	return nil
}

func (s held) unlike(f File, is, want string) error {
	hint := ""
	if s.hint != "" {
		hint = "\nhint: " + s.hint
	}
	return fmt.Errorf("%s: %s is %s and not %s: the kernel did not take it, or others changed it%s",
		labelled(s.Name, s.Place), f.Path, is, want, hint)
}

// Found returns the values found, by setting: one value, or those of its files with where each is.
func (h *Held) Found() map[string]string {
	parts := map[string][]string{}
	for _, s := range h.all {
		var values []string
		for _, f := range s.Files {
			values = append(values, s.found[f.Path])
		}
		slices.Sort(values)
		if values = slices.Compact(values); len(values) > 0 {
			parts[s.Name] = append(parts[s.Name], strings.TrimSpace(s.Place+" "+strings.Join(values, "/")))
		}
	}
	out := map[string]string{}
	for name, all := range parts {
		out[name] = strings.Join(all, ", ")
	}
	return out
}

// Changes returns a sentence for each setting that is to be changed, with what it is now.
func (h *Held) Changes() []string {
	var out []string
	for _, s := range h.all {
		changes := s.changes()
		if len(changes) == 0 {
			continue
		}
		text := fmt.Sprintf("%s is %s, and %s in each run with that", labelled(s.Name, s.Place), s.found[changes[0].Path],
			changes[0].Want)
		if more := len(changes) - 1; more > 0 {
			text += fmt.Sprintf("; likewise %d more (%s is the first)", more, changes[0].Path)
		}
		out = append(out, text)
	}
	return out
}

// Idle returns a sentence for each setting that has the value that was asked for already.
func (h *Held) Idle() []string {
	var out []string
	for _, s := range h.all {
		asked := slices.ContainsFunc(s.Files, func(f File) bool { return f.Want != "" })
		if asked && len(s.changes()) == 0 || len(s.Files) == 0 {
			out = append(out, fmt.Sprintf("%s=%s is in force already on %s: nothing is changed", s.Name, s.Value,
				orHost(s.Place)))
		}
	}
	return out
}

func orHost(place string) string {
	if place == "" {
		return "this machine"
	}
	return place
}

// PutBack restores what Change has changed. What could not be restored stays owed, for the next command.
func (h *Held) PutBack() error {
	var errs []error
	for _, s := range slices.Backward(h.all) {
		errs = append(errs, putBack(h.root, s.state))
	}
	return errors.Join(errs...)
}

// Close lets others have the settings.
func (h *Held) Close() {
	for _, s := range h.all {
		if h.session != "" {
			now := time.Now()
			_ = os.Chtimes(s.lock.Name(), now, now) // the lease until the session's next run
		}
		s.lock.Close()
	}
}

// PutBack restores what is owed by these files.
func PutBack(root hostfs.Root, files []owed.File) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, putBack(root, f))
	}
	return errors.Join(errs...)
}

// putBack restores the values that a file has, reads them back, and removes the file.
func putBack(root hostfs.Root, state owed.File) error {
	found, err := state.Found()
	if err != nil {
		return err
	}
	var errs []error
	for path, value := range found {
		if !strings.HasPrefix(path, root.Sys+"/") && !strings.HasPrefix(path, root.Proc+"/") {
			errs = append(errs, fmt.Errorf("%s names %.80q, which is no setting", state, path))
			continue
		}
		errs = append(errs, restore(path, value))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("put back the settings found: %w\nhint: they are in %s", err, state)
	}
	return state.Forget()
}

// restore writes a value that was found, unless it is there, or what had it is gone.
func restore(path, value string) error {
	is, err := read(path)
	if err == nil && is != value {
		if err = write(path, value); err == nil {
			is, err = read(path)
		}
	}
	switch {
	case hostfs.NotHere(err):
		return nil
	case err == nil && is != value:
		return fmt.Errorf("%s is %s and not %s", path, is, value)
	}
	return err
}

// PutBackDead restores what processes that were killed, with their watchdogs, owe to this host, and returns what that
// was, a sentence each. A reboot undoes what was changed before it. Directories of other boots remain: a container with
// another boot_id can share this one with its host.
func PutBackDead(root hostfs.Root, base string) (done []string, err error) {
	if !hostfs.Exists(base) {
		return nil, nil // nothing was ever changed here
	}
	dir, err := stateDir(root, base)
	if err != nil {
		return nil, nil //nolint:nilerr // it is another user's
	}
	files, err := owed.All(dir)
	errs := []error{err}
	end := time.Now().Add(restoring) // for processes that are being killed, and watchdogs at work
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(string(f)), owed.Prefix), ".json")
		lock, err := os.OpenFile(filepath.Join(dir, lockPrefix+name), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		free := false
		for !free && hostfs.Exists(string(f)) {
			free = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
			if !free && time.Now().After(end) {
				break // somebody lives who will put it back
			}
			if !free {
				time.Sleep(lockPoll)
			}
		}
		if free && hostfs.Exists(string(f)) {
			if err = putBack(root, f); err == nil {
				text, _ := url.PathUnescape(name)
				done = append(done, text+" was put back: a run that was killed had changed it")
			}
			errs = append(errs, err)
		}
		lock.Close()
	}
	return done, errors.Join(errs...)
}

// Release lets others have what a session held, at its end.
func Release(root hostfs.Root, base, session string) {
	dir, err := stateDir(root, base)
	if err != nil {
		return
	}
	locks, _ := filepath.Glob(filepath.Join(dir, lockPrefix+"*"))
	for _, path := range locks {
		if holder, err := hostfs.ReadText(path); err == nil && holder == session {
			_ = os.Truncate(path, 0)
		}
	}
}
