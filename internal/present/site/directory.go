package site

import (
	"os"
	"sync"
)

// directory is the directory that is served. It may be removed and made again, as by git clean: an os.Root stays with
// the one that is gone.
type directory struct {
	mu   sync.Mutex
	root *os.Root
}

// now returns the directory that has the name now; the last one if there is none.
func (d *directory) now() *os.Root {
	d.mu.Lock()
	defer d.mu.Unlock()
	named, err := os.Stat(d.root.Name())
	if err != nil {
		return d.root
	}
	if held, err := d.root.Stat("."); err == nil && os.SameFile(named, held) {
		return d.root
	}
	if again, err := os.OpenRoot(d.root.Name()); err == nil {
		d.root = again // requests in flight may have the other one: the collector closes it
	}
	return d.root
}

// Name returns its name.
func (d *directory) Name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.root.Name()
}
