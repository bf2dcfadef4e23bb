package jvm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/engine"
)

// sumsFile lists, as sha256sum(1) does, the files of the setup; for downloads the built-in sums are authoritative.
const sumsFile = "sha256sums"

// parseSums parses lines of a sum, two spaces and a name.
func parseSums(text string) (map[string]string, error) {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != sha256.Size || name == "" {
			return nil, fmt.Errorf("%.80q is not a SHA-256 sum and a name", line)
		}
		out[name] = sum
	}
	return out, nil
}

// pinned compares the fetched files with the built-in sums, which must match exactly.
func (b Build) pinned(dir string) error {
	pins, err := parseSums(string(b.Pins))
	if err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	got, err := sumsOf(filepath.Join(dir, LibDir))
	if err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	if name, what := differ(pins, got); name != "" {
		return fmt.Errorf("%s: %s, fetched by %s, %s\nhint: %s", b.Engine, name, b.from().name, what, b.from().forget)
	}
	return nil
}

// seal lists the files of a directory, so that Here can verify them.
func (b Build) seal(dir string) error {
	sums, err := sumsOf(dir)
	if err != nil {
		return err
	}
	delete(sums, sumsFile)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&text, "%s  %s\n", sums[name], name)
	}
	return os.WriteFile(filepath.Join(dir, sumsFile), []byte(text.String()), 0o644)
}

// Add moves a file that was made later into the setup's directory, and lists it.
func (b Build) Add(from, to string) error {
	dir := filepath.Dir(to)
	if err := b.verify(dir); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return b.seal(dir)
}

// verify compares a directory with its list, and its jars with the built-in sums.
func (b Build) verify(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return b.changed(dir, sumsFile, "cannot be read")
	}
	want, err := parseSums(string(text))
	if err != nil {
		return b.changed(dir, sumsFile, "is not a list of sums")
	}
	pins, err := parseSums(string(b.Pins))
	if err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	for name := range want {
		if sum, ok := pins[filepath.Base(name)]; ok {
			want[name] = sum
			delete(pins, filepath.Base(name))
		}
	}
	maps.Copy(want, pins) // those missing in the list are detected
	got, err := sumsOf(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	delete(got, sumsFile)
	if name, what := differ(want, got); name != "" {
		return b.changed(dir, name, what)
	}
	return nil
}

func (b Build) changed(dir, name, what string) error {
	return &engine.Missing{Engine: cmp.Or(b.SetUpAs, b.Engine), What: name, Looked: dir, Changed: what}
}

// differ returns the first file that differs from the expected one; "" if there is none.
func differ(want, got map[string]string) (name, what string) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch got[name] {
		case want[name]:
		case "":
			return name, "is missing"
		default:
			return name, fmt.Sprintf("has the SHA-256 %s instead of %s", got[name], want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == "" {
			return name, "does not belong there"
		}
	}
	return "", ""
}

// sumsOf returns the SHA-256 of all files below a directory, by relative path. Hashing them before each start costs
// 0.1 to 0.3 s for the 120 MB of Kafka: no cache could be trusted more than the files themselves.
func sumsOf(dir string) (map[string]string, error) {
	var files []string
	err := filepath.WalkDir(dir+string(os.PathSeparator), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	sums, errs := make([]string, len(files)), make([]error, len(files))
	var wait sync.WaitGroup
	room := make(chan struct{}, runtime.NumCPU())
	for i, path := range files {
		room <- struct{}{}
		wait.Go(func() {
			sums[i], errs[i] = sumOf(path)
			<-room
		})
	}
	wait.Wait()
	out := map[string]string{}
	for i, path := range files {
		if errs[i] != nil {
			return nil, errs[i]
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		out[name] = sums[i]
	}
	return out, nil
}

// sumOf returns the SHA-256 of a file, and of a link that of where it leads.
func sumOf(path string) (string, error) {
	st, err := os.Lstat(path)
	switch {
	case err == nil && st.Mode().Type() == fs.ModeSymlink:
		to, err := os.Readlink(path)
		sum := sha256.Sum256([]byte("link to " + to))
		return hex.EncodeToString(sum[:]), err
	case err != nil || !st.Mode().IsRegular():
		return "no file", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
