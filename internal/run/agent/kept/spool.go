package kept

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	spoolPrefix = "finished-"
	// maxSpool bounds the bytes of a finished order, as its answer is.
	maxSpool = 33 << 20
	// predecessorPatience exceeds the time in which an agent that hears nothing from its client leaves.
	predecessorPatience = time.Minute
)

// Spool writes the lines of a finished order to disk, in the directory of its plan, and returns once they are there.
// Those of other orders of the plan on this host are removed: whoever orders something else has them.
func Spool(plan, order string, lines [][]byte) error {
	k, err := Open(plan)
	if err != nil {
		return err
	}
	defer k.Close()
	path := spoolPath(k.Dir, order)
	if err := writeDurably(path, sealed(lines)); err != nil {
		return fmt.Errorf("keeping a finished order: %w", err)
	}
	others, err := filepath.Glob(filepath.Join(k.Dir, spoolPrefix+"*"))
	for _, other := range others {
		if other != path {
			err = errors.Join(err, os.Remove(other))
		}
	}
	return err
}

func spoolPath(dir, order string) string {
	return filepath.Join(dir, spoolPrefix+strings.ReplaceAll(order, "/", "-"))
}

// writeDurably replaces a file, and returns once it and its name are on disk.
func writeDurably(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Finished returns the lines of an order that an agent has finished here; none if it has not, or they are damaged,
// which is an error.
func Finished(plan, order string) ([][]byte, error) {
	dir, err := keepDir(plan)
	if err != nil {
		return nil, err
	}
	k, err := hold(dir, unix.LOCK_SH) // else it is nobody's, or another user's
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer k.Close()
	path := spoolPath(dir, order)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSpool) {
		err = fmt.Errorf("%s is not a finished order", path)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return unsealed(data)
}

// sealed returns lines with a header that has their CRC-32C.
func sealed(lines [][]byte) []byte {
	body := append(bytes.Join(lines, []byte("\n")), '\n')
	return append(fmt.Appendf(nil, "%08x %d\n", crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)), len(body)),
		body...)
}

// errDamaged reports a finished order that is not as it was written.
var errDamaged = errors.New("a finished order is damaged: its checksum is another one")

func unsealed(data []byte) ([][]byte, error) {
	head, body, _ := bytes.Cut(data, []byte("\n"))
	want := fmt.Appendf(nil, "%08x %d", crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)), len(body))
	if !bytes.Equal(head, want) || !bytes.HasSuffix(body, []byte("\n")) {
		return nil, errDamaged
	}
	return bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n")), nil
}

// AwaitPredecessor waits until no other agent works on an order: one whose client fell silent may not know yet.
func AwaitPredecessor(ctx context.Context, order string) error {
	for end := time.Now().Add(predecessorPatience); ; time.Sleep(keepPoll) {
		k, err := hold(ScratchDir(order), unix.LOCK_EX)
		switch {
		case err == nil:
			k.Close()
			return nil
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case ctx.Err() != nil || !errors.Is(err, errHeld) || time.Now().After(end):
			return fmt.Errorf("waiting for an agent that works on the same: %w", err)
		}
	}
}
