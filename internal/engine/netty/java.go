package netty

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

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
	return engine.Install{Name: javaName, Path: path, Version: told(version, os.Getenv), From: from}, nil
}

// told adds to a version what the environment tells every Java runtime, which makes it as good as another one:
// runs that differ by it must be seen to. Long ones are told apart by a digest.
func told(version string, getenv func(string) string) string {
	const most = 120 // characters; a trial's line has 8 KiB
	for _, name := range []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"} {
		value := strings.Join(strings.Fields(getenv(name)), " ")
		if value == "" {
			continue
		}
		if runes := []rune(value); len(runes) > most {
			sum := sha256.Sum256([]byte(value))
			value = string(runes[:most]) + "... sha256 " + hex.EncodeToString(sum[:4])
		}
		version += " " + name + "=" + value
	}
	return version
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

// said leaves out the lines in which a runtime says what it picked up from the environment: anything may stand there.
func said(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Picked up ") && !strings.HasPrefix(line, "NOTE: Picked up ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// javaVersion reads what `java -version` prints and returns the runtime's full
// version with its build, such as 17.0.15+6-Debian-1deb12u1, which says whose it is.
func javaVersion(text string) (string, error) {
	text = said(text)
	if m := regexp.MustCompile(`\(build ([^,)]+)\)\s*\n.*VM`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	if m := regexp.MustCompile(`version "([^"]+)"`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	return "", errors.New("it does not say its version\nhint: " + javaHome + "=DIR says which Java to run")
}
