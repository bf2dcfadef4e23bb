// Package jvm is what the engines that run on Java share: the Java that is here, and jars that Maven fetches.
package jvm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
)

const (
	// Name is the runtime's among what an engine runs on.
	Name = "java"
	// homeVar says where the Java is, in the place of the one in PATH.
	homeVar = "JAVA_HOME"
)

// Home says which Java is meant.
type Home struct {
	Engine string // names it in messages
	Dir    string // of a JDK; "": JAVA_HOME's, else PATH's
	Param  string // that gave Dir, for messages
	Oldest int    // major version that will do; 0: any
}

// Find finds the Java runtime. The error says what is wrong with the one that was asked for, or that it is too old.
func (h Home) Find(ctx context.Context) (engine.Install, error) {
	path, from, err := h.Tool(Name)
	if err != nil {
		return engine.Install{}, err
	}
	text, err := engine.Answer(ctx, h.Engine, path, "-version")
	if err != nil {
		return engine.Install{}, err
	}
	version, err := javaVersion(text)
	if err != nil {
		return engine.Install{}, fmt.Errorf("%s: %s: %w", h.Engine, path, err)
	}
	if major := majorOf(version); major < h.Oldest {
		return engine.Install{}, fmt.Errorf("%s: %s is Java %d, and it needs %d or newer\nhint: %s says where another JDK is",
			h.Engine, path, major, h.Oldest, h.variable())
	}
	return engine.Install{Name: Name, Path: path, Version: told(version, os.Getenv), From: from}, nil
}

// Of is the Java runtime that an engine was found to run on.
func Of(in engine.Install) (engine.Install, error) {
	java, ok := in.Use(Name)
	if !ok {
		return java, fmt.Errorf("%s: no Java runtime was found to start it with\nhint: %s=DIR says where a JDK is", in.Name, homeVar)
	}
	return java, nil
}

// variable is what names a JDK.
func (h Home) variable() string {
	if h.Param != "" {
		return h.Param + "=DIR or " + homeVar + "=DIR"
	}
	return homeVar + "=DIR"
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

// Tool finds a program of the Java runtime or its tools.
func (h Home) Tool(tool string) (path, from string, err error) {
	dir, from, otherwise := h.Dir, h.Param, "leave out "+h.Param
	if dir == "" {
		dir, from, otherwise = os.Getenv(homeVar), homeVar, "unset "+homeVar
	}
	if dir == "" {
		return engine.Program(h.Engine, tool, "")
	}
	path = filepath.Join(dir, "bin", tool)
	if st, err := os.Stat(path); err != nil || st.IsDir() || st.Mode()&0o111 == 0 {
		return "", "", fmt.Errorf("%s: %s=%s has no program bin/%s\nhint: %s, or set it to a JDK", h.Engine, from, dir, tool, otherwise)
	}
	return path, from, nil
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
	return "", errors.New("it does not say its version\nhint: " + homeVar + "=DIR says which Java to run")
}

// majorOf is 17 of 17.0.15+6, and 8 of 1.8.0_402; 0 where there is none.
func majorOf(version string) int {
	m := regexp.MustCompile(`^(?:1\.)?(\d+)`).FindStringSubmatch(version)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Quiet keeps a runtime from writing anywhere but to its working directory.
func Quiet() []string {
	return []string{"-XX:+PerfDisableSharedMem", "-XX:ErrorFile=hs_err.log"}
}
