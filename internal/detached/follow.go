package detached

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/input"
	"plimsoll/internal/session"
)

const poll = 200 * time.Millisecond

// IsWritten reports whether a process writes a session.
func IsWritten(file string) (bool, error) {
	st, err := os.Stat(file)
	if err != nil {
		return false, input.Wrap(err)
	}
	return session.Written().Has(st), nil
}

// Follow copies what the run of a session says until it is over, or ctx ends.
func Follow(ctx context.Context, file string, to io.Writer) error {
	f, err := os.Open(LogOf(file))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no log: only runs that were begun with --detach can be attached to\nhint: plimsoll show %s",
			file, shellquote.Join(file))
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		running, err := IsWritten(file)
		if err != nil {
			return err
		}
		// Read after the look, so that the last words of a run that ended meanwhile are not missed.
		if _, err := io.Copy(to, f); err != nil {
			return fmt.Errorf("read %s: %w", LogOf(file), err)
		}
		if !running {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(poll):
		}
	}
}
