package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// cutDisk is a file system, passed through to a directory, that knows what would survive a power cut: the bytes of a
// file as of its last fsync, under the names that its directory had as of that one's.
type cutDisk struct {
	under  string
	server *fuse.Server
	pages  bool // each read is of a page at most, and none is answered by the kernel's cache

	mu     sync.Mutex
	synced map[uint64][]byte // by inode: the bytes as of the last fsync
	names  map[string]uint64 // by path: as of the last fsync of the directory
	bad    *ioFault          // nil: none
}

// ioFault is what is wrong with a disk: its k-th call of a kind fails with EIO.
type ioFault struct {
	call  string // write, fsync or read
	k     int
	dead  bool // so does each call after it, but a read only after a read
	calls int  // of the kind so far
}

// fails reports whether a call fails, and counts it.
func (d *cutDisk) fails(call string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bad == nil {
		return false
	}
	before := d.bad.calls >= d.bad.k
	if call != d.bad.call {
		if call == "read" {
			return false // so that what is safe can be counted
		}
		return before && d.bad.dead
	}
	d.bad.calls++
	return d.bad.calls == d.bad.k || before && d.bad.dead
}

// breaks makes the disk fail from now on; with nil it is whole again. It returns what was wrong before.
func (d *cutDisk) breaks(f *ioFault) *ioFault {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.bad
	d.bad = f
	return before
}

// mount mounts it at a directory, over another one.
func mount(at, under string) (*cutDisk, error) {
	d := &cutDisk{under: under, synced: map[uint64][]byte{}, names: map[string]uint64{}}
	root := &fs.LoopbackRoot{Path: under}
	root.RootNode = &cutNode{LoopbackNode: &fs.LoopbackNode{RootData: root}, disk: d}
	var err error
	d.server, err = fs.Mount(at, root.RootNode,
		&fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "power-cut"}})
	return d, err
}

// cutDisk mounts one in the trial's directory, and puts its session there.
func (t *trial) cutDisk() (*cutDisk, error) {
	at, under := filepath.Join(t.dir, "disk"), filepath.Join(t.dir, "under")
	if err := errors.Join(os.Mkdir(at, 0o755), os.Mkdir(under, 0o755)); err != nil {
		return nil, err
	}
	t.session = filepath.Join(at, "s.plimsoll.jsonl")
	disk, err := mount(at, under)
	if err != nil {
		return nil, fmt.Errorf("a file system cannot be mounted: %w", err)
	}
	return disk, nil
}

// unmount waits for files of processes that were just killed, which close them as they end.
func (d *cutDisk) unmount() error {
	var err error
	await(patience, func() bool {
		err = d.server.Unmount()
		return !errors.Is(err, syscall.EBUSY)
	})
	return err
}

// sync makes what a path under the disk has durable: the bytes of a file, or the names of a directory.
func (d *cutDisk) sync(path string) syscall.Errno {
	st, err := os.Stat(path)
	if err != nil {
		return fs.ToErrno(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !st.IsDir() {
		text, err := os.ReadFile(path)
		d.synced[st.Sys().(*syscall.Stat_t).Ino] = text
		return fs.ToErrno(err)
	}
	for name := range d.names {
		if filepath.Dir(name) == path {
			delete(d.names, name)
		}
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if st, err := e.Info(); err == nil {
			d.names[filepath.Join(path, e.Name())] = st.Sys().(*syscall.Stat_t).Ino
		}
	}
	return fs.ToErrno(err)
}

// cut returns what is left of the session's file if the power is gone now; nil if it has no name. Of the bytes that
// were appended since the last fsync an arbitrary part is there.
func (d *cutDisk) cut(random func() float64) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, inode := range d.names {
		if filepath.Ext(name) != ".jsonl" {
			continue
		}
		left := append([]byte{}, d.synced[inode]...)
		if now, err := os.ReadFile(name); err == nil && len(now) > len(left) && string(now[:len(left)]) == string(left) {
			more := now[len(left):]
			left = append(left, more[:int(random()*float64(len(more)+1))]...)
		}
		return left
	}
	return nil
}

// cutNode is a file or directory of it.
type cutNode struct {
	*fs.LoopbackNode
	disk *cutDisk
}

var (
	_ fs.NodeFsyncer        = (*cutNode)(nil)
	_ fs.NodeOpendirHandler = (*cutNode)(nil)
	_ fs.NodeWrapChilder    = (*cutNode)(nil)
	_ fs.NodeOpener         = (*cutNode)(nil)
	_ fs.NodeCreater        = (*cutNode)(nil)
	_ fs.NodeSetattrer      = (*cutNode)(nil)
	_ fs.FileWriter         = (*cutFile)(nil)
	_ fs.FileReader         = (*cutFile)(nil)
)

// cutFile is an open file of it, none of whose calls bypass it.
type cutFile struct {
	*fs.LoopbackFile
	disk *cutDisk
}

// PassthroughFd implements fs.FilePassthroughFder.
func (f *cutFile) PassthroughFd() (int, bool) { return 0, false }

// Write implements fs.FileWriter.
func (f *cutFile) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	if f.disk.fails("write") {
		return 0, syscall.EIO
	}
	return f.LoopbackFile.Write(ctx, data, off)
}

// Read implements fs.FileReader.
func (f *cutFile) Read(ctx context.Context, to []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if f.disk.fails("read") {
		return nil, syscall.EIO
	}
	if f.disk.pages {
		to = to[:min(len(to), 4096)]
	}
	return f.LoopbackFile.Read(ctx, to, off)
}

// file wraps a handle that LoopbackNode has opened.
func (d *cutDisk) file(h fs.FileHandle) fs.FileHandle {
	if f, ok := h.(*fs.LoopbackFile); ok {
		return &cutFile{f, d}
	}
	return h
}

// Open implements fs.NodeOpener.
func (n *cutNode) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	h, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	if n.disk.pages {
		fuseFlags |= fuse.FOPEN_DIRECT_IO
	}
	return n.disk.file(h), fuseFlags, errno
}

// Create implements fs.NodeCreater.
func (n *cutNode) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode,
	fs.FileHandle, uint32, syscall.Errno) {
	inode, h, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.disk.file(h), fuseFlags, errno
}

// Setattr implements fs.NodeSetattrer: it truncates.
func (n *cutNode) Setattr(ctx context.Context, h fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if n.disk.fails("setattr") {
		return syscall.EIO
	}
	if f, ok := h.(*cutFile); ok {
		h = f.LoopbackFile
	}
	return n.LoopbackNode.Setattr(ctx, h, in, out)
}

// WrapChild implements fs.NodeWrapChilder.
func (n *cutNode) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	return &cutNode{LoopbackNode: ops.(*fs.LoopbackNode), disk: n.disk}
}

// OpendirHandle returns a handle that cannot sync: the directory below would be synced instead of this one.
func (n *cutNode) OpendirHandle(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	h, fuseFlags, errno := n.LoopbackNode.OpendirHandle(ctx, flags)
	if errno != fs.OK {
		return nil, 0, errno
	}
	below, ok := h.(listable)
	if !ok {
		return nil, 0, syscall.ENOTSUP
	}
	return &struct{ listable }{below}, fuseFlags, fs.OK
}

// listable is what a handle of a directory needs to list it.
type listable interface {
	fs.FileReaddirenter
	fs.FileReleasedirer
	fs.FileSeekdirer
}

// Fsync implements fs.NodeFsyncer.
func (n *cutNode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	if n.disk.fails("fsync") {
		return syscall.EIO
	}
	return n.disk.sync(filepath.Join(n.disk.under, n.Path(n.Root())))
}
