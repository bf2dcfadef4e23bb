package disk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/ring"
)

// data is the data that the jobs read and write.
type data struct {
	place  place
	fds    []int
	sizes  []int64 // of the files at creation
	blocks []int64 // sectors of the files after prefill
	parts  []*part
}

// open makes the files, or opens the device, and gives each job its part.
func (d *data) open(j *job, seed uint64) error {
	files := j.jobs
	if j.shared || d.place.device {
		files = 1
	}
	for i := range files {
		fd, err := d.openFile(j.direct)
		if err != nil {
			return err
		}
		d.fds = append(d.fds, fd)
		d.sizes = append(d.sizes, j.total()/int64(files))
		if d.place.device {
			continue
		}
		if err := unix.Fallocate(fd, 0, 0, d.sizes[i]); err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
			return failed("allocate space for", d.name(i), d.sizes[i], 0, err)
		}
	}
	for i := range j.jobs {
		p := &part{fd: d.fds[i%files], key: mix(seed ^ uint64(i%files)<<32), name: d.name(i % files),
			sharedFile: files < j.jobs}
		if p.sharedFile {
			p.start = int64(i) * j.size()
		}
		d.parts = append(d.parts, p)
	}
	return nil
}

func (d *data) openFile(direct bool) (int, error) {
	if d.place.device {
		return openDevice(d.place.path)
	}
	fd, err := d.place.newFile(direct)
	if err != nil {
		return -1, fmt.Errorf("disk: create a file in %s: %w", d.place.path, err)
	}
	return fd, nil
}

// name returns a label for errors, since the files are unnamed.
func (d *data) name(i int) string {
	if d.place.device {
		return d.place.path
	}
	return fmt.Sprintf("file %d in %s", i+1, d.place.path)
}

// prefillBytes is the size of a write before the load.
const prefillBytes = 1 << 20

// prefill writes every byte, so that the load neither extends a file nor meets blocks that were never written.
func (d *data) prefill(ctx context.Context, j *job, seed uint64) error {
	errs := make([]error, len(d.parts))
	var wg sync.WaitGroup
	for i, p := range d.parts {
		wg.Go(func() { errs[i] = d.fill(ctx, p, j, seed+uint64(i)) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return first(errs)
	}
	for i, fd := range d.fds {
		if err := unix.Fsync(fd); err != nil {
			return failed("syncing", d.name(i), d.sizes[i], 0, err)
		}
		var s unix.Stat_t
		if err := unix.Fstat(fd, &s); err != nil {
			return fmt.Errorf("disk: %s: %w", d.name(i), err)
		}
		d.blocks = append(d.blocks, s.Blocks)
	}
	return nil
}

// first returns the first of several errors: a problem common to many jobs is reported once.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *data) fill(ctx context.Context, p *part, j *job, seed uint64) error {
	unit := unitOf(j.block)
	buffers, all, err := ring.Map(1, prefillBytes)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	defer ring.Unmap(all)
	randomize(buffers[0], seed)
	for at := int64(0); at < j.size() && ctx.Err() == nil; {
		b := buffers[0][:min(prefillBytes, j.size()-at)]
		stamp(b, unit, p.key, p.start+at, 0)
		n, err := unix.Pwrite(p.fd, b, p.start+at)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return failed(writing, p.name, int64(len(b)), p.start+at, err)
		}
		// A short write resumes at a whole unit.
		if n -= n % unit; n == 0 {
			return failed(writing, p.name, int64(len(b)), p.start+at, unix.ENOSPC)
		}
		at += int64(n)
	}
	return ctx.Err()
}

// randomize fills memory with incompressible data.
func randomize(b []byte, seed uint64) {
	rng := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24),
		byte(seed >> 32), byte(seed >> 40), byte(seed >> 48), byte(seed >> 56)})
	_, _ = rng.Read(b) // it never fails
}

// failed returns an error with the operation, its place, and a hint at the likely cause.
func failed(what, name string, bytes, offset int64, err error) error {
	hint := ""
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		hint = "\nhint: the file system has been filled meanwhile, or a quota is full"
	case errors.Is(err, unix.EIO), errors.Is(err, unix.ENXIO), errors.Is(err, unix.ENODEV):
		hint = "\nhint: the device is broken, or gone"
	}
	return fmt.Errorf("disk: %s %d bytes at %d of %s: %w%s", what, bytes, offset, name, err, hint)
}

// writing names a write in errors.
const writing = "writing"

// cutShort returns the error for a short read or write. A short write means that space ran out: on a copy-on-write
// file system, overwriting takes some.
func cutShort(what, name string, got int32, want int, offset int64) error {
	if what == writing {
		return fmt.Errorf("disk: %s %d bytes at %d of %s wrote %d: no space for the rest\nhint: the file system "+
			"has been filled meanwhile, a quota is full, or the device was truncated", what, want, offset, name, got)
	}
	return fmt.Errorf("disk: %s %d bytes at %d of %s gave %d: it has become shorter\nhint: the file, or the device "+
		"behind it, was truncated", what, want, offset, name, got)
}

// unchanged returns an error if a file became shorter or lost blocks: later writes would then extend it instead of
// overwriting.
func (d *data) unchanged() error {
	if d.place.device {
		return nil
	}
	for i, fd := range d.fds {
		var s unix.Stat_t
		if err := unix.Fstat(fd, &s); err != nil {
			return fmt.Errorf("disk: %s: %w", d.name(i), err)
		}
		// Half, since copy-on-write file systems do not keep the number of blocks exactly.
		if s.Size < d.sizes[i] || s.Blocks < d.blocks[i]/2 {
			return fmt.Errorf("disk: %s had %d bytes in %d sectors and now has %d in %d: writes extend it\nhint: "+
				"it was truncated", d.name(i), d.sizes[i], d.blocks[i], s.Size, s.Blocks)
		}
	}
	return nil
}

func (d *data) close() error {
	errs := list.Map(d.fds, unix.Close)
	d.fds = nil
	return errors.Join(errs...)
}
