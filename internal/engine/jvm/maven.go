package jvm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"plimsoll/internal/engine"
)

// The layout of a setup's directory.
const (
	LibDir     = "lib"     // jars fetched by Maven
	ClassesDir = "classes" // compiled classes
	pomFile    = "pom.xml"
)

// source is a package registry, by its ordinary client.
type source struct {
	name   string   // of the client, for users
	list   string   // file that names what is fetched
	tools  []string // programs that it takes
	fetch  func(list, to string) []string
	forget string // what a user does so that it fetches anew
}

// maven fetches the jars of a pom.xml.
func maven() *source {
	return &source{name: "Maven", list: pomFile, tools: []string{"javac", "mvn"},
		fetch: func(list, to string) []string {
			return []string{"mvn", "-q", "-B", "-C", "-f", list, "dependency:copy-dependencies", "-DoutputDirectory=" + to,
				"-DincludeScope=runtime"}
		},
		forget: "remove it from Maven's local repository (~/.m2/repository), and try again"}
}

// from returns the source of the files.
func (b Build) from() *source { return cmp.Or(b.From, maven()) }

// Build is a setup: the files of a list, the jars of a pom.xml if From says nothing else, and our sources compiled with
// them.
type Build struct {
	Home
	From    *source
	Pom     []byte            // the list, or the list of another source
	Files   map[string][]byte // sources, and other files beside them
	Main    string            // source to compile; "": none
	Release int               // of Java to compile for, which may be older than the compiler
	Version string            // from Property
	Fetches string            // description of the jars
	Pins    []byte            // SHA-256 of each jar, in the format of sha256sum
	SetUpAs string            // what plimsoll setup names it; "": the engine's name
	Kind    string            // of the setup, in one word; "": server or library
	// After runs before the setup is moved into place; nil: nothing.
	After func(dir string) error
}

// Property returns a property of a pom.xml; "" if it is not set.
func Property(pom []byte, name string) string {
	var project struct {
		Properties struct {
			All []struct {
				XMLName xml.Name
				Text    string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"properties"`
	}
	// The file is embedded, and a test parses it.
	_ = xml.Unmarshal(pom, &project)
	for _, p := range project.Properties.All {
		if p.XMLName.Local == name {
			return p.Text
		}
	}
	return ""
}

// Dir returns the directory of the setup, which depends on the sources.
func (b Build) Dir() (string, error) {
	sum := sha256.New()
	sum.Write(b.Pom)
	sum.Write(b.Pins)
	for _, name := range slices.Sorted(maps.Keys(b.Files)) {
		sum.Write(b.Files[name])
	}
	cache, err := engine.CacheDir(b.Engine)
	return filepath.Join(cache, b.Version+"-"+hex.EncodeToString(sum.Sum(nil)[:4])), err
}

// Here returns the directory of the setup, after checking that all of it is as fetched and made, or a
// *engine.Missing.
func (b Build) Here() (string, error) {
	dir, err := b.Dir()
	if err != nil {
		return "", err
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", &engine.Missing{Engine: cmp.Or(b.SetUpAs, b.Engine), What: "its " + b.kind(), Looked: dir}
	}
	return dir, b.verify(dir)
}

// kind returns the setup's kind in one word.
func (b Build) kind() string {
	switch {
	case b.Kind != "":
		return b.Kind
	case b.Main == "":
		return "library"
	}
	return "server"
}

// Steps returns the setup's steps: packages for missing tools of Java and Maven, then the jars and the compiled
// source, made in a temporary directory and moved into place as a whole.
func (b Build) Steps() ([]engine.Step, error) {
	dir, err := b.Dir()
	if err != nil {
		return nil, err
	}
	steps, err := b.toolSteps()
	if err != nil {
		return nil, err
	}
	work := engine.Partial(dir)
	lib := filepath.Join(work, LibDir)
	javac, _, err := b.Tool("javac")
	if err != nil {
		javac = "javac" // it is among the packages
	}
	write := "write the list of downloads to " + work
	if b.Main != "" {
		write = "write the server's source to " + work
	}
	steps = append(steps,
		engine.Step{Does: write, Do: func(context.Context) error { return b.unpack(work) }},
		engine.Step{Does: "fetch " + b.Fetches + " with " + b.from().name,
			Command: b.from().fetch(filepath.Join(work, b.from().list), lib)},
		engine.Step{Does: "compare it with the built-in SHA-256 sums",
			Do: func(context.Context) error { return b.pinned(work) }})
	if b.Main != "" {
		steps = append(steps, engine.Step{Does: "compile the server", Command: []string{
			javac, "-proc:none", "--release", fmt.Sprint(b.Release), "-cp", filepath.Join(lib, "*"), "-sourcepath", work,
			"-d", filepath.Join(work, ClassesDir), filepath.Join(work, b.Main)}})
	}
	return append(steps, engine.Step{Does: "move it to " + dir,
		Do: func(context.Context) error { return b.publish(work, dir) }}), nil
}

// toolSteps returns the steps that install missing tools of the source.
func (b Build) toolSteps() ([]engine.Step, error) {
	onPath := func(program string) (string, string, error) { return engine.Program(b.Engine, program, "") }
	known := map[string]struct {
		find func(string) (string, string, error)
		engine.Package
	}{
		"javac": {b.Tool, engine.Package{Apt: "default-jdk-headless", Dnf: "java-21-openjdk-devel",
			Amazon: "java-21-amazon-corretto-devel", Apk: "openjdk21-jdk"}},
		"mvn":  {onPath, engine.Package{Apt: "maven", Dnf: "maven", Apk: "maven"}},
		"pip3": {onPath, engine.Package{Apt: "python3-pip", Dnf: "python3-pip", Apk: "py3-pip"}},
	}
	var packages []engine.Package
	for _, program := range b.from().tools {
		var missing *engine.Missing
		if _, _, err := known[program].find(program); errors.As(err, &missing) {
			packages = append(packages, known[program].Package)
		} else if err != nil {
			return nil, err
		}
	}
	if len(packages) == 0 {
		return nil, nil
	}
	return engine.InstallPackages(b.Engine, packages...)
}

// unpack writes the embedded files into an empty directory.
func (b Build) unpack(work string) error {
	err := os.MkdirAll(filepath.Dir(work), 0o755)
	if err == nil {
		err = os.Mkdir(work, 0o755)
	}
	if err != nil {
		return fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME sets another place", b.Engine, err)
	}
	files := map[string][]byte{b.from().list: b.Pom}
	maps.Copy(files, b.Files)
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(work, file), content, 0o644); err != nil {
			return fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME sets another place", b.Engine, err)
		}
	}
	return nil
}

// publish moves the setup into place, for Here.
func (b Build) publish(work, dir string) error {
	if b.After != nil {
		if err := b.After(work); err != nil {
			return fmt.Errorf("%s: %w", b.Engine, err)
		}
	}
	if err := b.seal(work); err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("%s: remove an earlier %s: %w", b.Engine, b.kind(), err)
	}
	if err := os.Rename(work, dir); err != nil {
		return fmt.Errorf("%s: %w", b.Engine, err)
	}
	return nil
}

// ClassPath returns the class path of the setup in dir, with all of its jars.
func ClassPath(dir string) string {
	return filepath.Join(dir, ClassesDir) + string(os.PathListSeparator) + filepath.Join(dir, LibDir, "*")
}
