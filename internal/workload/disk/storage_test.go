package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestOneStorageByAnyName: a device that is mounted through another one is found.
func TestOneStorageByAnyName(t *testing.T) {
	sys := t.TempDir()
	file := filepath.Join(sys, "image")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Link(file, file+".hard")); err != nil {
		t.Fatal(err)
	}
	device := func(at, number string, texts ...string) {
		dir := filepath.Join(sys, "devices", at)
		texts = append(texts, "dev", number)
		for i := 0; i < len(texts); i += 2 {
			path := filepath.Join(dir, texts[i])
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
				os.WriteFile(path, []byte(texts[i+1]+"\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		links := []string{"dev/block/" + number}
		if filepath.Dir(at) == "." {
			links = append(links, "block/"+at)
		}
		for _, link := range links {
			path := filepath.Join(sys, link)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	device("loop0", "7:0", "loop/backing_file", file)
	device("loop1", "7:1", "loop/backing_file", file+".hard")
	device("loop2", "7:2", "loop/backing_file", "/elsewhere")
	device("loop3", "7:3")
	device("sda", "8:0", "device/wwid", "naa.1")
	device("sda/sda1", "8:1", "partition", "1")
	device("sda/sda2", "8:2", "partition", "2")
	device("sdb", "8:16", "device/wwid", "naa.1")
	device("sdb/sdb1", "8:17", "partition", "1")
	device("sdb/sdb2", "8:18", "partition", "2")
	device("nvme0n1", "259:0", "wwid", "eui.1")
	device("nvme1n1", "259:1", "wwid", "eui.2")
	for number, want := range map[string][]string{
		"7:0": {"loop0", "loop1"}, "7:1": {"loop1", "loop0"}, "7:2": {"loop2"}, "7:3": {"loop3"},
		"8:0": {"sda", "sdb"}, "8:17": {"sdb1", "sda1"}, "8:2": {"sda2", "sdb2"}, "259:0": {"nvme0n1"},
		"9:9": {"9:9"},
	} {
		var got []string
		for _, dir := range onOneStorage(sys, number) {
			got = append(got, filepath.Base(dir))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", number, got, want)
		}
	}
}
