package kafka

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

// TestArchiveIsOfOneBuild: another build of the runtime ignores it, and options in the environment do not matter.
func TestArchiveIsOfOneBuild(t *testing.T) {
	dir := t.TempDir()
	java := engine.Install{Name: jvm.Name, Version: "17.0.15+6-Debian-1deb12u1"}
	if got := shared(dir, java); got != nil {
		t.Errorf("without an archive: %q", got)
	}
	path := archivePath(dir, java.Version)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]bool{java.Version: true, java.Version + " JAVA_TOOL_OPTIONS=-Xint": true,
		"17.0.16+8-Debian-1deb12u1": false} {
		got := shared(dir, engine.Install{Name: jvm.Name, Version: version})
		if slices.Contains(got, "-XX:SharedArchiveFile="+path) != want || (got != nil) != want {
			t.Errorf("Java %s: %q", version, got)
		}
	}
}

// TestPack: the compiled classes are in a jar, and nowhere else.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{filepath.Join(jvm.ClassesDir, "Broker.class"): "code",
		filepath.Join(jvm.LibDir, "other.jar"): ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := pack(dir); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(dir, jvm.LibDir, packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if len(z.File) != 1 || z.File[0].Name != "Broker.class" || z.File[0].UncompressedSize64 != 4 {
		t.Errorf("it holds %v", z.File)
	}
	if _, err := os.Stat(filepath.Join(dir, jvm.ClassesDir)); err == nil {
		t.Error("the classes are still there: no archive is made of a class path with a directory")
	}
}
