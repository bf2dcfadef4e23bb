// Package jvm is the common part of engines that run on Java: the installed Java, and jars fetched by Maven.
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

	"plimsoll/internal/base/secret"
	"plimsoll/internal/engine"
)

const (
	// Name is the runtime's name among an engine's dependencies.
	Name = "java"
	// homeVar sets the Java to use instead of the one in PATH.
	homeVar = "JAVA_HOME"
)

// Home selects a Java.
type Home struct {
	Engine string // for messages
	Dir    string // of a JDK, or a release of ours; "": JAVA_HOME's, else PATH's
	Param  string // that set Dir, for messages
	Oldest int    // minimum major version; 0: any
}

// Find finds the Java runtime. It returns an error if the selected one does not work, or is too old.
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
		return engine.Install{}, fmt.Errorf("%s: %s is Java %d, but %d or newer is needed\nhint: %s sets another JDK%s",
			h.Engine, path, major, h.Oldest, h.variable(), h.further())
	}
	return engine.Install{Name: Name, Path: path, Version: told(version, os.Getenv), From: from}, nil
}

// Of returns the Java runtime of an engine's install.
func Of(in engine.Install) (engine.Install, error) {
	java, ok := in.Use(Name)
	if !ok {
		return java, fmt.Errorf("%s: no Java runtime was found to start it with\nhint: %s=DIR sets a JDK",
			in.Name, homeVar)
	}
	return java, nil
}

// variable returns the ways to set a JDK.
func (h Home) variable() string {
	if h.Param != "" {
		return h.Param + "=DIR or " + homeVar + "=DIR"
	}
	return homeVar + "=DIR"
}

// further returns how a JDK that will do is had without root, for engines that take releases.
func (h Home) further() string {
	if h.Param == "" {
		return ""
	}
	newest := jdks()[0]
	return fmt.Sprintf("; plimsoll setup %s%s%s sets up one for %s=%s", JDKName, engine.ReleaseMark, newest, h.Param,
		newest)
}

// told appends to a version the options that the environment gives every Java runtime, since runs that differ in
// them must be distinguishable. Long ones are shortened, with a digest.
func told(version string, getenv func(string) string) string {
	const most = 120 // characters; a trial's line has 8 KiB
	hide := secret.NewMasker()
	for _, name := range []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"} {
		value := hide.Text(strings.Join(strings.Fields(getenv(name)), " "))
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
	if h.Dir != "" {
		ours, err := release(h.Dir)
		if err != nil {
			return "", "", fmt.Errorf("%s: %s=%s: %w", h.Engine, h.Param, h.Dir, err)
		}
		if ours != "" {
			home, err := homeOf(ours)
			return filepath.Join(home, "bin", tool), "cache", err
		}
	}
	// A server starts in a directory of its own.
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", fmt.Errorf("%s: %w", h.Engine, err)
	}
	path = filepath.Join(dir, "bin", tool)
	if st, err := os.Stat(path); err != nil || st.IsDir() || st.Mode()&0o111 == 0 {
		return "", "", fmt.Errorf("%s: %s=%s has no program bin/%s\nhint: %s, or set it to a JDK",
			h.Engine, from, dir, tool, otherwise)
	}
	return path, from, nil
}

// said omits the lines in which a runtime reports options from the environment, which may contain anything.
func said(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Picked up ") && !strings.HasPrefix(line, "NOTE: Picked up ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// javaVersion parses the output of `java -version` and returns the runtime's full version with its build, such as
// 17.0.15+6-Debian-1deb12u1, which identifies its vendor.
func javaVersion(text string) (string, error) {
	text = said(text)
	if m := regexp.MustCompile(`\(build ([^,)]+)\)\s*\n.*VM`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	if m := regexp.MustCompile(`version "([^"]+)"`).FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	return "", errors.New("it does not print its version\nhint: " + homeVar + "=DIR sets the Java to run")
}

// majorOf returns 17 for 17.0.15+6, and 8 for 1.8.0_402; 0 if there is none.
func majorOf(version string) int {
	m := regexp.MustCompile(`^(?:1\.)?(\d+)`).FindStringSubmatch(version)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Quiet returns the options that keep a runtime from writing outside its working directory.
func Quiet() []string {
	return []string{"-XX:+PerfDisableSharedMem", "-XX:ErrorFile=hs_err.log"}
}
