package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Unprivileged returns the user for a server that refuses to run as root: the first of these that exists. It returns
// nil if this process is not root's.
func Unprivileged(names ...string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, fmt.Errorf("user %s: %w", name, err)
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("it does not run as root, and none of the users %q exists\nhint: useradd --system %s",
		names, names[0])
}

// MayEnter returns an error if a user cannot reach the contents of a directory. A nil user is this process's own,
// which is not checked.
func MayEnter(dir string, who *syscall.Credential) error {
	if who == nil {
		return nil
	}
	for up := dir; ; up = filepath.Dir(up) {
		var st unix.Stat_t
		if err := unix.Stat(up, &st); err != nil {
			return fmt.Errorf("check access to %s: %w", up, err)
		}
		if mayEnter := st.Mode&unix.S_IXOTH != 0 || st.Uid == who.Uid && st.Mode&unix.S_IXUSR != 0; !mayEnter {
			return fmt.Errorf("user %d, as which the server runs, may not enter %s\nhint: chmod o+x %s, or let "+
				"TMPDIR, or the workload's path if that is set, name another directory", who.Uid, up, up)
		}
		if up == filepath.Dir(up) {
			return nil
		}
	}
}

// HandOver gives a directory and its contents to a user, who must be able to reach it. A nil user is a no-op.
func HandOver(dir string, to *syscall.Credential) error {
	if to == nil {
		return nil
	}
	if err := MayEnter(filepath.Dir(dir), to); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, int(to.Uid), int(to.Gid))
		}
		if err != nil {
			return fmt.Errorf("give %s to user %d: %w", path, to.Uid, err)
		}
		return nil
	})
}
