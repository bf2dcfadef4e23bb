package main

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"plimsoll/internal/selftest/bucket"
)

// pacer gives reads their time, one after the other: a gate says when one may begin, and the rate how long it takes.
type pacer struct {
	rate float64 // bytes per second while nothing holds back
	gate bucket.Gate

	mu   sync.Mutex
	from time.Time // of the first read
	free float64   // seconds from then at which the disk has done all that it was given
}

// end is when a read of so many bytes that comes now is done.
func (p *pacer) end(size int) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.from.IsZero() {
		p.from = time.Now()
	}
	at := max(p.free, time.Since(p.from).Seconds())
	pace := 1.0
	if p.gate != nil {
		at = p.gate.Open(at, float64(size))
		pace = p.gate.Pace(at)
	}
	p.free = at + pace*float64(size)/p.rate
	return p.from.Add(time.Duration(p.free * float64(time.Second)))
}

// file keeps what is written in memory, and lets it be read at the pacer's pace. Writes are free: they fill the file
// before the load.
type file struct {
	fs.MemRegularFile
	pacer *pacer
}

// Open has every read come here, and not to the page cache.
func (f *file) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

// Read waits until the disk would be done.
func (f *file) Read(ctx context.Context, fh fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	time.Sleep(time.Until(f.pacer.end(len(dest))))
	return f.MemRegularFile.Read(ctx, fh, dest, off)
}

// Fsync has nothing to do: memory is all there is.
func (f *file) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno { return 0 }

// Getattr says that all of the file takes room.
func (f *file) Getattr(ctx context.Context, fh fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	errno := f.MemRegularFile.Getattr(ctx, fh, out)
	out.Mode, out.Blksize, out.Blocks = syscall.S_IFREG|0o600, blockSize, (out.Size+511)/512
	return errno
}

const (
	blockSize = 4096
	capacity  = 64 << 30 / blockSize // blocks that the file system claims to have
)

// folder is the root: files may be made and removed in it, and no folders.
type folder struct {
	fs.Inode
	pacer *pacer
}

// Create makes an empty file.
func (d *folder) Create(ctx context.Context, _ string, _, _ uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle,
	uint32, syscall.Errno) {
	out.Mode = syscall.S_IFREG | 0o600
	node := d.NewInode(ctx, &file{pacer: d.pacer}, fs.StableAttr{Mode: syscall.S_IFREG})
	return node, nil, fuse.FOPEN_DIRECT_IO, 0
}

// Unlink lets a file go; who has it open keeps it.
func (d *folder) Unlink(context.Context, string) syscall.Errno { return 0 }

// Statfs says that there is room.
func (d *folder) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	out.Bsize, out.Frsize, out.Blocks, out.Bfree, out.Bavail, out.NameLen = blockSize, blockSize, capacity, capacity,
		capacity, 255
	return 0
}

// mount puts a paced disk at a directory; stop takes it away.
func mount(dir string, p *pacer) (stop func() error, err error) {
	const inFlight = 1024
	server, err := fs.Mount(dir, &folder{pacer: p}, &fs.Options{MountOptions: fuse.MountOptions{
		FsName: "paced", Name: "plimsoll", DirectMountStrict: true, MaxBackground: inFlight, CongestionThreshold: inFlight,
		MaxWrite: 1 << 20,
	}})
	if err != nil {
		return nil, fmt.Errorf("mounting a paced disk at %s: %w\nhint: it takes root, and /dev/fuse", dir, err)
	}
	return func() error { return unmounted(dir, server.Unmount) }, nil
}

// unmounted waits for who still has a file open to go, as a load that was just interrupted; who stays does not
// keep the mount.
func unmounted(dir string, unmount func() error) error {
	const patience, pause = 5 * time.Second, 50 * time.Millisecond
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(pause) {
		if unmount() == nil {
			return nil
		}
	}
	return syscall.Unmount(dir, syscall.MNT_DETACH)
}
