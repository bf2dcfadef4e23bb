package main

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// cutDisk is a file system, passed through to a directory, that knows what would survive a power cut: the bytes of a file
// as of its last fsync, under the names that its directory had as of that one's.
type cutDisk struct {
	under  string
	server *fuse.Server

	mu     sync.Mutex
	synced map[uint64][]byte // by inode: the bytes as of the last fsync
	names  map[string]uint64 // by path: as of the last fsync of the directory
}

// mount mounts it at a directory, over another one.
func mount(at, under string) (*cutDisk, error) {
	d := &cutDisk{under: under, synced: map[uint64][]byte{}, names: map[string]uint64{}}
	root := &fs.LoopbackRoot{Path: under}
	root.RootNode = &cutNode{LoopbackNode: &fs.LoopbackNode{RootData: root}, disk: d}
	var err error
	d.server, err = fs.Mount(at, root.RootNode, &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "power-cut"}})
	return d, err
}

func (d *cutDisk) unmount() error { return d.server.Unmount() }

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

// cut returns what is left of the session's file if the power is gone now; nil if it has no name. Of the bytes that were
// appended since the last fsync an arbitrary part is there.
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
)

// WrapChild implements fs.NodeWrapChilder.
func (n *cutNode) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	return &cutNode{LoopbackNode: ops.(*fs.LoopbackNode), disk: n.disk}
}

// OpendirHandle returns no handle of the directory below, which would be synced instead of this one.
func (n *cutNode) OpendirHandle(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, 0, fs.OK
}

// Fsync implements fs.NodeFsyncer.
func (n *cutNode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	return n.disk.sync(filepath.Join(n.disk.under, n.Path(n.Root())))
}
