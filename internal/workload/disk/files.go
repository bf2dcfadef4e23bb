package disk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"golang.org/x/sys/unix"

	"plimsoll/internal/ring"
)

// data is what the jobs read and write.
type data struct {
	place  place
	fds    []int
	sizes  []int64 // of the files, as they were made
	blocks []int64 // sectors that they took once they were written
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
			return failed("making room for", d.name(i), d.sizes[i], 0, err)
		}
	}
	for i := range j.jobs {
		p := &part{fd: d.fds[i%files], key: mix(seed ^ uint64(i%files)<<32), name: d.name(i % files), sharedFile: files < j.jobs}
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
		return -1, fmt.Errorf("disk: making a file in %s: %w", d.place.path, err)
	}
	return fd, nil
}

// name is what errors call a file, which has no name of its own.
func (d *data) name(i int) string {
	if d.place.device {
		return d.place.path
	}
	return fmt.Sprintf("file %d in %s", i+1, d.place.path)
}

// prefillBytes is how much is written at once before the load.
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

// first is the first of several errors: what many jobs meet together is said once.
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
		// A write that was cut short goes on at a whole unit.
		if n -= n % unit; n == 0 {
			return failed(writing, p.name, int64(len(b)), p.start+at, unix.ENOSPC)
		}
		at += int64(n)
	}
	return ctx.Err()
}

// randomize fills memory with what no device can compress.
func randomize(b []byte, seed uint64) {
	rng := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24), byte(seed >> 32), byte(seed >> 40), byte(seed >> 48), byte(seed >> 56)})
	_, _ = rng.Read(b) // it never fails
}

// failed says which operation failed where, and what may be the cause.
func failed(what, name string, bytes, offset int64, err error) error {
	hint := ""
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		hint = "\nhint: something else has filled the file system meanwhile, or a quota is full"
	case errors.Is(err, unix.EIO), errors.Is(err, unix.ENXIO), errors.Is(err, unix.ENODEV):
		hint = "\nhint: the device is broken, or gone"
	}
	return fmt.Errorf("disk: %s %d bytes at %d of %s: %w%s", what, bytes, offset, name, err, hint)
}

// writing is what a write is called in errors.
const writing = "writing"

// cutShort is the error for fewer bytes than were asked for. A write that ends early has found no more room: on a file system that
// copies on write, overwriting takes some.
func cutShort(what, name string, got int32, want int, offset int64) error {
	if what == writing {
		return fmt.Errorf("disk: %s %d bytes at %d of %s wrote %d: there is no room for the rest\nhint: something else has filled the file system meanwhile, a quota is full, or somebody has truncated the device", what, want, offset, name, got)
	}
	return fmt.Errorf("disk: %s %d bytes at %d of %s gave %d: it has become shorter\nhint: somebody has truncated it, or the device behind it", what, want, offset, name, got)
}

// unchanged is an error where a file is shorter than it was made, or has lost what was written to it: writes
// that go on would extend it, and be no overwriting.
func (d *data) unchanged() error {
	if d.place.device {
		return nil
	}
	for i, fd := range d.fds {
		var s unix.Stat_t
		if err := unix.Fstat(fd, &s); err != nil {
			return fmt.Errorf("disk: %s: %w", d.name(i), err)
		}
		// Half, since file systems that copy on write do not keep the number of blocks exactly.
		if s.Size < d.sizes[i] || s.Blocks < d.blocks[i]/2 {
			return fmt.Errorf("disk: %s had %d bytes in %d sectors and has %d in %d: writes extend it\nhint: somebody has truncated it", d.name(i), d.sizes[i], d.blocks[i], s.Size, s.Blocks)
		}
	}
	return nil
}

func (d *data) close() error {
	var errs []error
	for _, fd := range d.fds {
		errs = append(errs, unix.Close(fd))
	}
	d.fds = nil
	return errors.Join(errs...)
}
