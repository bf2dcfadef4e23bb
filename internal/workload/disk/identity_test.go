package disk

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The output of mkfs and similar tools is recognised.
func TestSignaturesOfWhatToolsMake(t *testing.T) {
	for _, c := range []struct {
		want string
		tool []string
	}{
		{"ext2", []string{"mkfs.ext2", "-q", "-F"}}, {"ext3", []string{"mkfs.ext3", "-q", "-F"}},
		{"ext4", []string{"mkfs.ext4", "-q", "-F"}},
		{"swap", []string{"mkswap", "-q"}}, {"XFS", []string{"mkfs.xfs", "-q"}}, {"Btrfs", []string{"mkfs.btrfs", "-q"}},
		{"FAT", []string{"mkfs.vfat"}},
	} {
		t.Run(c.want, func(t *testing.T) {
			path, err := exec.LookPath(c.tool[0])
			if err != nil {
				if _, serr := os.Stat("/sbin/" + c.tool[0]); serr != nil {
					t.Skipf("no %s", c.tool[0])
				}
				path = "/sbin/" + c.tool[0]
			}
			name := filepath.Join(t.TempDir(), "image")
			const size = 320 << 20
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(name, size); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(path, append(c.tool[1:], name)...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := holds(f, size); !slices.Equal(got, []string{c.want}) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestSignatures(t *testing.T) {
	const size = 1<<20 + 512
	image := func(offset int, mark string) []byte {
		b := make([]byte, size)
		copy(b[offset:], mark)
		return b
	}
	for want, b := range map[string][]byte{
		"":                          image(0, ""),
		"data of an unknown kind":   image(100, "x"),
		"a partition table (GPT)":   image(512, "EFI PART"),
		"a partition table or boot": image(510, "\x55\xaa"),
		"LUKS (encrypted)":          image(0, "LUKS\xba\xbe"),
		"a physical volume (LVM)": append(image(512, "LABELONE")[:536],
			append([]byte("LVM2 001"), make([]byte, size-544)...)...),
		"part of an array (md)":          image(4096, "\xfc\x4e\x2b\xa9"),
		"part of an array (md)\x00 1.0":  image((size-8<<10)&^0xfff, "\xfc\x4e\x2b\xa9"),
		"part of an array (md)\x00 0.90": image(size&^0xffff-64<<10, "\xfc\x4e\x2b\xa9"),
	} {
		want, _, _ = strings.Cut(want, "\x00")
		got := holds(bytes.NewReader(b), size)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzSignatures(f *testing.F) {
	f.Add([]byte("XFSB"), []byte{}, int64(4))
	f.Fuzz(func(_ *testing.T, head, tail []byte, size int64) {
		signatures(head, tail, size)
		holds(bytes.NewReader(head), int64(len(head)))
	})
}
