package postgres

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// TestReleases: each is pinned for the architectures that the registry has it for, and says of others what to do.
func TestReleases(t *testing.T) {
	for release, archs := range map[string]map[string]bool{
		"18.4": {"amd64": true, "arm64": true, "riscv64": false},
		"13.1": {"amd64": true, "arm64": false},
	} {
		for arch, has := range archs {
			b, err := build(release, arch)
			if (err == nil) != has || b.Version != release || !strings.Contains(string(b.Pom), "<version>"+release+".") {
				t.Errorf("%s for %s: %v", release, arch, err)
			}
			if !has && !strings.Contains(err.Error(), "\nhint: install it yourself: bin=DIRECTORY") {
				t.Errorf("%s for %s: %v", release, arch, err)
			}
		}
	}
	if got := strings.Join(releases(), " "); got != "18.4 13.1" {
		t.Errorf("releases %s", got)
	}
}

func TestReleaseOrPrograms(t *testing.T) {
	_, err := engine.Resolve(Engine{}, record.Params{ParamRelease: "13.1", ParamBin: "/usr/lib/postgresql/15/bin"})
	if err == nil || !strings.Contains(err.Error(), "both say which programs run") {
		t.Errorf("%v", err)
	}
	p, err := engine.Resolve(Engine{}.At("13.1"), nil)
	if err != nil || p.Text(ParamRelease) != "13.1" {
		t.Errorf("%q, %v", p.Text(ParamRelease), err)
	}
	if p, err = engine.Resolve(Engine{}, nil); err != nil || p.Text(ParamRelease) != ReleaseSystem {
		t.Errorf("%q, %v", p.Text(ParamRelease), err)
	}
}

// TestUntar: files, links to what is beside them, and nothing that leads elsewhere.
func TestUntar(t *testing.T) {
	for name, c := range map[string]struct {
		h    tar.Header
		says string
	}{
		"a program":            {tar.Header{Name: "bin/postgres", Typeflag: tar.TypeReg, Mode: 0o700, Size: 4}, ""},
		"a library":            {tar.Header{Name: "./lib/a.so.1", Typeflag: tar.TypeReg, Mode: 0o600, Size: 4}, ""},
		"a directory":          {tar.Header{Name: "share/", Typeflag: tar.TypeDir, Mode: 0o700}, ""},
		"a link":               {tar.Header{Name: "lib/a.so", Typeflag: tar.TypeSymlink, Linkname: "a.so.1"}, ""},
		"a link out":           {tar.Header{Name: "lib/a", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, "leads out"},
		"a link up":            {tar.Header{Name: "lib/a", Typeflag: tar.TypeSymlink, Linkname: ".."}, "leads out"},
		"a file out":           {tar.Header{Name: "../a", Typeflag: tar.TypeReg, Size: 4}, "leads out of it"},
		"a file at a path":     {tar.Header{Name: "/a", Typeflag: tar.TypeReg, Size: 4}, "leads out of it"},
		"a device":             {tar.Header{Name: "a", Typeflag: tar.TypeChar}, "neither a file nor a link"},
		"a link to its parent": {tar.Header{Name: "lib/a", Typeflag: tar.TypeSymlink, Linkname: "../../a"}, "leads out"},
	} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			x, err := xz.NewWriter(&packed)
			if err != nil {
				t.Fatal(err)
			}
			w := tar.NewWriter(x)
			if err := w.WriteHeader(&c.h); err != nil {
				t.Fatal(err)
			}
			if c.h.Size > 0 {
				if _, err := w.Write([]byte("text")); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(w.Close(), x.Close()); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "in")
			err = untar(&packed, dir)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			st, err := os.Lstat(filepath.Join(dir, c.h.Name))
			want := map[byte]os.FileMode{tar.TypeDir: os.ModeDir | 0o755, tar.TypeSymlink: os.ModeSymlink | 0o777,
				tar.TypeReg: 0o644}[c.h.Typeflag]
			if c.h.Mode&0o111 != 0 {
				want |= 0o755
			}
			if err != nil || st.Mode() != want {
				t.Errorf("%v, %v, want mode %v", st.Mode(), err, want)
			}
		})
	}
	if err := untar(strings.NewReader("no archive"), t.TempDir()); err == nil {
		t.Error("what is no archive was unpacked")
	}
}

// TestChecksumsAreRemembered: a release without pg_controldata need not be asked.
func TestChecksumsAreRemembered(t *testing.T) {
	c := cluster{bin: t.TempDir(), dir: t.TempDir()}
	if _, err := c.checksums(t.Context()); err == nil {
		t.Error("a cluster of which nothing is known, and no program to ask")
	}
	for _, want := range []bool{true, false} {
		if err := os.WriteFile(c.sums(), []byte(map[bool]string{true: "true", false: "false"}[want]), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := c.checksums(t.Context()); err != nil || got != want {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
		if err := c.setChecksums(t.Context(), want); err != nil {
			t.Errorf("nothing is to be changed: %v", err)
		}
	}
	if controlOf(13) != controlOf(17) || controlOf(17) == controlOf(18) {
		t.Error("clusters of 13 and 17 have one form, of 17 and 18 another")
	}
}
