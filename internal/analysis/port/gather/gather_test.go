package gather

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/analysis/port"
)

// read returns the report on a file or folder within limits.
func read(t *testing.T, name string, limits Limits) port.Report {
	t.Helper()
	scan := port.NewScan("x")
	if err := Read(context.Background(), scan, name, limits); err != nil {
		t.Fatal(err)
	}
	return scan.Report()
}

// zipOf makes a zip of members, which may be zips.
func zipOf(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range members {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	z.Close()
	return b.Bytes()
}

func written(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// elfOf is the head of an ELF file for a machine: 62 is x86-64, 183 arm64.
func elfOf(machine byte) []byte {
	head := make([]byte, 64)
	copy(head, "\x7fELF\x02\x01\x01")
	head[16], head[18], head[20] = 3, machine, 1
	return head
}

func leftOut(r port.Report) string {
	var b strings.Builder
	for _, l := range r.LeftOut {
		b.WriteString(l.File + ": " + l.Why + "\n")
	}
	return b.String()
}

func TestLibrariesOfJars(t *testing.T) {
	fat := zipOf(t, map[string][]byte{"native/Linux/x86_64/liba.so": elfOf(62), "native/Linux/aarch64/liba.so": elfOf(183),
		"native/Linux/x86_64/libb.so": elfOf(62), "linux64/libc.so": elfOf(62), "linux-aarch64/libc.so": elfOf(183)})
	r := read(t, written(t, "app.war", zipOf(t, map[string][]byte{"WEB-INF/lib/a.jar": fat})), Usual())
	if len(r.Findings) != 1 || r.Findings[0].File != "app.war!/WEB-INF/lib/a.jar!/native/Linux/x86_64/libb.so" ||
		r.Findings[0].Severity != port.WillNotRun || len(r.Alternatives) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestBounds(t *testing.T) {
	bomb := zipOf(t, map[string][]byte{"a.c": make([]byte, 1<<20)})
	small := Limits{File: 1 << 10, Archive: 1 << 20, Read: 1 << 30, Files: 100, Depth: 2}
	if r := read(t, written(t, "a.zip", bomb), small); !strings.Contains(leftOut(r), "a.zip!/a.c: over 0 MiB") {
		t.Error(leftOut(r))
	}
	deep := []byte("int a;")
	for range 5 {
		deep = zipOf(t, map[string][]byte{"in.zip": deep})
	}
	if r := read(t, written(t, "a.zip", deep), small); !strings.Contains(leftOut(r),
		"a.zip!/in.zip!/in.zip: 3 archives deep") {
		t.Error(leftOut(r))
	}
	nested := zipOf(t, map[string][]byte{"in.zip": bomb})
	if r := read(t, written(t, "a.zip", nested),
		Limits{File: 1, Archive: 10, Read: 1 << 20, Files: 100, Depth: 4}); !strings.Contains(leftOut(r), "unpack it first") {
		t.Error(leftOut(r))
	}
	dir := t.TempDir()
	for _, name := range []string{"a.c", "b.c", "c.c"} {
		os.WriteFile(filepath.Join(dir, name), []byte("int a;"), 0o600)
	}
	if r := read(t, dir, Limits{File: 1 << 10, Read: 1 << 20, Files: 2, Depth: 1}); r.Files != 2 ||
		!strings.Contains(leftOut(r), "c.c: this and all that follows") {
		t.Errorf("%d files, %s", r.Files, leftOut(r))
	}
	if err := Read(context.Background(), port.NewScan("x"), written(t, "a.zip", bomb),
		Limits{File: 1 << 30, Archive: 1 << 30, Read: 1 << 14, Files: 9, Depth: 2}); err == nil ||
		!strings.Contains(err.Error(), "limit of bytes") {
		t.Error(err)
	}
}

// TestImage: an archive as docker save writes it, with a layer of many programs.
func TestImage(t *testing.T) {
	tarOf := func(names []string, datas ...[]byte) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for i, name := range names {
			w.WriteHeader(&tar.Header{Name: name, Size: int64(len(datas[i])), Mode: 0o644, Format: tar.FormatUSTAR})
			w.Write(datas[i])
		}
		w.Close()
		return b.Bytes()
	}
	var names []string
	var datas [][]byte
	for i := range 30 {
		names, datas = append(names, fmt.Sprintf("usr/bin/p%d", i)), append(datas, elfOf(62))
	}
	names, datas = append(names, "usr/lib/jvm/release"), append(datas, []byte("IMPLEMENTOR=x\nJAVA_VERSION=\"11.0.16\"\n"))
	config := "blobs/sha256/" + strings.Repeat("a1", 32)
	for arch, want := range map[string]int{"amd64": 3, "arm64": 2} {
		image := tarOf([]string{config, "blobs/sha256/layer"},
			[]byte(`{"architecture":"`+arch+`","rootfs":{"type":"layers"}}`), tarOf(names, datas...))
		r := read(t, written(t, "image.tar", image), Usual())
		if len(r.Findings) != want || !strings.Contains(fmt.Sprint(r.Findings), "30 programs and libraries for x86") ||
			!strings.Contains(fmt.Sprint(r.Findings), "java 11.0.16") {
			t.Errorf("%s: %+v", arch, r.Findings)
		}
	}
}

// FuzzRead: no bytes make reading fail but by an error, whatever archive they claim to be.
func FuzzRead(f *testing.F) {
	f.Add([]byte("PK\x03\x04"), "a.zip")
	f.Add([]byte("\x1f\x8b\x08\x00"), "a.gz")
	f.Add([]byte("BZh91AY&SY"), "a.bz2")
	f.Add([]byte("\x28\xb5\x2f\xfd"), "a.zst")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		r := &reader{ctx: context.Background(), scan: port.NewScan("x"),
			at: Limits{File: 1 << 16, Archive: 1 << 16, Read: 1 << 20, Files: 1000, Depth: 3}}
		r.leave(name, r.file(name, bytes.NewReader(data), int64(len(data)), 0, true))
		r.scan.Report()
	})
}
