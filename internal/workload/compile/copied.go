package compile

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"plimsoll/internal/load"
	"plimsoll/internal/process"
)

// copied is a lane: one copy of the tree, and its build.
type copied struct {
	dir     string
	before  int64 // bytes in the tree
	build   *process.Program
	outcome process.Outcome
	done    bool
}

// Run builds the copy once.
func (c *copied) Run(ctx context.Context, l *load.Lane) error {
	intended, ok := l.Take()
	if !ok {
		return ctx.Err()
	}
	sent := l.Now()
	var err error
	if c.outcome, err = c.build.Run(ctx); err != nil {
		l.Fail(intended, load.Other)
		return err
	}
	l.Done(intended, sent, 1, 0)
	c.done = true
	return nil
}

// sizeOf returns the total size of a tree's files in bytes.
func sizeOf(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%s: measure the tree: %w", Name, err)
	}
	return sum, nil
}
