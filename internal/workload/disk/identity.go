package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
)

// describe returns a device's identity and contents, without leaving a trace. It returns an error if path is not a
// device.
func describe(path string) (record.Device, error) {
	d := record.Device{Path: path}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return d, fmt.Errorf("disk: %s: %w\nhint: lsblk lists the available devices", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFBLK {
		return d, fmt.Errorf("disk: %s is not a disk\nhint: lsblk lists the available devices", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return d, fmt.Errorf("disk: %w\nhint: reading devices requires root", err)
	}
	defer f.Close()
	if d.Bytes, err = deviceSize(int(f.Fd())); err != nil {
		return d, fmt.Errorf("disk: read the size of %s: %w", path, err)
	}
	sys := "/sys/dev/block/" + number(st.Rdev)
	d.Model = firstOf(sys, "device/model", "../device/model")
	d.ID, d.By = identity(sys, d)
	d.Holds = holds(f, d.Bytes)
	return d, nil
}

// identity distinguishes a device from others that may have its name after a reboot. It returns a digest, to keep
// serial numbers private.
func identity(sys string, d record.Device) (id, by string) {
	part := firstOf(sys, "partition")
	for _, from := range []struct{ file, by string }{
		{"wwid", "WWN"}, {"device/wwid", "WWN"}, {"../wwid", "WWN"}, {"../device/wwid", "WWN"},
		{"serial", "serial number"}, {"device/serial", "serial number"}, {"../serial", "serial number"},
		{"../device/serial", "serial number"},
		{"dm/uuid", "UUID"}, {"md/uuid", "UUID"}, {"loop/backing_file", "file"},
	} {
		if part == "" && strings.HasPrefix(from.file, "../") {
			continue // the parent of a whole disk is not a disk
		}
		if text := firstOf(sys, from.file); text != "" {
			return digest(from.by, text, part, firstOf(sys, "start")), from.by
		}
	}
	return digest(d.Model, fmt.Sprint(d.Bytes), part, firstOf(sys, "start")), "size and model"
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// firstOf returns the text of the first of these files that has one.
func firstOf(dir string, files ...string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	for _, file := range files {
		if b, err := os.ReadFile(filepath.Join(dir, file)); err == nil && len(bytes.TrimSpace(b)) > 0 {
			return strings.Join(strings.Fields(string(b)), " ")
		}
	}
	return ""
}

// headBytes and tailBytes reach the known signatures farthest from the start and from the end.
const (
	headBytes = 68 << 10
	tailBytes = 128 << 10
)

// holds returns the kinds of data on a device.
func holds(f io.ReaderAt, size int64) []string {
	head, tail := make([]byte, min(headBytes, size)), make([]byte, min(tailBytes, size))
	_, err := f.ReadAt(head, 0)
	if err == nil || errors.Is(err, io.EOF) {
		_, err = f.ReadAt(tail, size-int64(len(tail)))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return []string{"unreadable data: " + err.Error()}
	}
	return signatures(head, tail, size)
}

// signatures recognises a device's contents by the magic numbers that libblkid (util-linux) uses: file systems,
// partition tables, members of arrays and volumes, swap and encrypted data.
func signatures(head, tail []byte, size int64) []string {
	var out []string
	at := func(b []byte, offset int64, mark string) bool {
		return offset >= 0 && offset+int64(len(mark)) <= int64(len(b)) && string(b[offset:offset+int64(len(mark))]) == mark
	}
	for _, m := range []struct {
		offset int64
		mark   string
		what   string
	}{
		{0, "XFSB", "XFS"}, {64<<10 + 64, "_BHRfS_M", "Btrfs"}, {1024, "\x10\x20\xf5\xf2", "F2FS"}, {3, "NTFS    ", "NTFS"},
		{3, "EXFAT   ", "exFAT"},
		{82, "FAT32", "FAT"}, {54, "FAT16", "FAT"}, {54, "FAT12", "FAT"}, {0, "hsqs", "SquashFS"},
		{32769, "CD001", "ISO 9660"},
		{0, "LUKS\xba\xbe", "LUKS (encrypted)"}, {0, "bluestore block device", "Ceph BlueStore"},
		{512, "EFI PART", "a partition table (GPT)"}, {4096, "EFI PART", "a partition table (GPT)"},
		{0, "\xfc\x4e\x2b\xa9", "part of an array (md)"}, {4096, "\xfc\x4e\x2b\xa9", "part of an array (md)"},
		{4086, "SWAPSPACE2", "swap"}, {65526, "SWAPSPACE2", "swap"},
	} {
		if at(head, m.offset, m.mark) {
			out = append(out, m.what)
		}
	}
	if len(head) >= 1024+1024 && binary.LittleEndian.Uint16(head[1024+56:]) == 0xef53 {
		out = append(out, ext(head[1024:]))
	}
	for sector := int64(0); sector < 4; sector++ {
		if at(head, sector*512, "LABELONE") && at(head, sector*512+24, "LVM2 001") {
			out = append(out, "a physical volume (LVM)")
		}
	}
	if at(head, 510, "\x55\xaa") && len(out) == 0 {
		out = append(out, "a partition table or boot sector (MBR)")
	}
	for _, back := range []int64{size&^0xffff - 64<<10, (size - 8<<10) &^ 0xfff} { // md 0.90 and 1.0
		if at(tail, back-(size-int64(len(tail))), "\xfc\x4e\x2b\xa9") {
			out = append(out, "part of an array (md)")
		}
	}
	if len(out) == 0 && len(bytes.Trim(head, "\x00")) > 0 {
		out = append(out, "data of an unknown kind")
	}
	return out
}

// ext returns the version by its features: a journal, and those that only ext4 has (fs/ext4/ext4.h: extents, 64 bit,
// flexible groups).
func ext(super []byte) string {
	switch {
	case binary.LittleEndian.Uint32(super[96:])&(0x40|0x80|0x200) != 0:
		return "ext4"
	case binary.LittleEndian.Uint32(super[92:])&4 != 0:
		return "ext3"
	}
	return "ext2"
}
