package netty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"plimsoll/internal/engine"
)

// javaRelease is the Java that the server is compiled for: what it runs on may
// be older than what compiled it.
const javaRelease = "11"

// Setup is as engine.Setup has it: packages for what is missing of Java's tools
// and Maven, then the jars and the compiled server, made in a directory beside
// and moved into place as a whole.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	r := release()
	dir, err := r.dir()
	if err != nil {
		return nil, err
	}
	steps, err := toolSteps()
	if err != nil {
		return nil, err
	}
	work := dir + ".partial"
	lib := filepath.Join(work, libDir)
	javac, _, err := javaTool("javac")
	if err != nil {
		javac = "javac" // it is among the packages
	}
	return append(steps,
		engine.Step{Does: "write the server's source to " + work, Do: func(context.Context) error { return unpack(work) }},
		engine.Step{Does: "fetch Netty " + r.netty + " with Maven", Command: []string{
			"mvn", "-q", "-B", "-f", filepath.Join(work, pomFile), "dependency:copy-dependencies", "-DoutputDirectory=" + lib, "-DincludeScope=runtime"}},
		engine.Step{Does: "compile the server", Command: []string{
			javac, "--release", javaRelease, "-cp", filepath.Join(lib, "*"), "-d", filepath.Join(work, classesDir), filepath.Join(work, sourceFile)}},
		engine.Step{Does: "move it to " + dir, Do: func(context.Context) error { return publish(work, dir) }},
	), nil
}

// toolSteps installs what of the tools is missing.
func toolSteps() ([]engine.Step, error) {
	var packages []engine.Package
	for _, tool := range []struct {
		program string
		engine.Package
	}{
		{"javac", engine.Package{Apt: "default-jdk-headless", Dnf: "java-21-openjdk-devel", Apk: "openjdk21-jdk"}},
		{"mvn", engine.Package{Apt: "maven", Dnf: "maven", Apk: "maven"}},
	} {
		find := javaTool
		if tool.program == "mvn" {
			find = func(program string) (string, string, error) { return engine.Program(name, program, "") }
		}
		var missing *engine.Missing
		if _, _, err := find(tool.program); errors.As(err, &missing) {
			packages = append(packages, tool.Package)
		} else if err != nil {
			return nil, err
		}
	}
	if len(packages) == 0 {
		return nil, nil
	}
	return engine.InstallPackages(name, packages...)
}

// unpack writes what is built in, into an empty directory.
func unpack(work string) error {
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("netty: remove what an earlier try left: %w", err)
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return fmt.Errorf("netty: %w\nhint: XDG_CACHE_HOME puts it elsewhere", err)
	}
	for file, content := range map[string][]byte{sourceFile: source, pomFile: pom} {
		if err := os.WriteFile(filepath.Join(work, file), content, 0o644); err != nil {
			return fmt.Errorf("netty: %w\nhint: XDG_CACHE_HOME puts it elsewhere", err)
		}
	}
	return nil
}

// publish moves the whole of it into place, where Find looks.
func publish(work, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("netty: remove an earlier server: %w", err)
	}
	if err := os.Rename(work, dir); err != nil {
		return fmt.Errorf("netty: %w", err)
	}
	return nil
}
