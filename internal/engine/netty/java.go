package netty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"plimsoll/internal/engine"
)

const (
	javaName = "java"
	javaHome = "JAVA_HOME"
)

// findJava finds the Java runtime: that of JAVA_HOME, else the one in PATH.
func findJava(ctx context.Context) (engine.Install, error) {
	path, from, err := javaTool(javaName)
	if err != nil {
		return engine.Install{}, err
	}
	text, err := engine.Answer(ctx, name, path, "-version")
	if err != nil {
		return engine.Install{}, err
	}
	version, err := javaVersion(text)
	if err != nil {
		return engine.Install{}, fmt.Errorf("netty: %s: %w", path, err)
	}
	return engine.Install{Name: javaName, Path: path, Version: version, From: from}, nil
}

// javaTool finds a program of the Java runtime or its tools.
func javaTool(tool string) (path, from string, err error) {
	home := os.Getenv(javaHome)
	if home == "" {
		return engine.Program(name, tool, "")
	}
	path = filepath.Join(home, "bin", tool)
	if st, err := os.Stat(path); err != nil || st.IsDir() || st.Mode()&0o111 == 0 {
		return "", "", fmt.Errorf("netty: %s=%s has no program bin/%s\nhint: unset %s, or set it to a JDK", javaHome, home, tool, javaHome)
	}
	return path, javaHome, nil
}

// javaVersion reads what `java -version` prints and returns the runtime's full
// version with its build, such as 17.0.15+6-Debian-1deb12u1, which says whose it is.
func javaVersion(text string) (string, error) {
	if m := regexp.MustCompile(`\(build ([^,)]+)\)\s*\n.*VM`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	if m := regexp.MustCompile(`version "([^"]+)"`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	return "", errors.New("it does not say its version\nhint: " + javaHome + "=DIR says which Java to run")
}
