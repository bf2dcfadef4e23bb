package jvm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestJavaVersion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)\nOpenJDK " +
			"64-Bit Server VM (build 17.0.15+6-Debian-1deb12u1, mixed mode, sharing)\n",
			"17.0.15+6-Debian-1deb12u1"},
		{"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"21.0.4\" 2024-07-16 LTS\nOpenJDK Runtime Environment " +
			"Corretto-21.0.4.7.1 (build 21.0.4+7-LTS)\nOpenJDK 64-Bit Server VM Corretto-21.0.4.7.1 (build 21.0.4+7-LTS, " +
			"mixed mode, sharing)\n",
			"21.0.4+7-LTS"},
		{"java version \"11.0.1\"\n", "11.0.1"},
		{"NOTE: Picked up JDK_JAVA_OPTIONS: -Da=version \"9\"\nPicked up _JAVA_OPTIONS: -Db=(build 8)\nopenjdk version " +
			"\"21.0.4\"\n", "21.0.4"},
		{"sh: nonsense\n", ""},
	} {
		got, err := javaVersion(c.text)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.text, got, err, c.want)
		}
	}
}

func TestWhatTheEnvironmentTellsJavaIsPartOfItsVersion(t *testing.T) {
	long := strings.Repeat("-Dx=y ", 100)
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "17"},
		{map[string]string{"JAVA_TOOL_OPTIONS": " -Xmx1g\n -Xint "}, "17 JAVA_TOOL_OPTIONS=-Xmx1g -Xint"},
		{map[string]string{"_JAVA_OPTIONS": "-Xmx2g", "JAVA_TOOL_OPTIONS": "-Xmx1g"},
			"17 JAVA_TOOL_OPTIONS=-Xmx1g _JAVA_OPTIONS=-Xmx2g"},
		{map[string]string{"JAVA_TOOL_OPTIONS": "-Djavax.net.ssl.keyStorePassword=hidden -Xint"},
			"17 JAVA_TOOL_OPTIONS=-Djavax.net.ssl.keyStorePassword=*** -Xint"},
		{map[string]string{"JDK_JAVA_OPTIONS": "-Daws.secretKey=hidden -Dx.passwd='hidden too' -Xint"},
			"17 JDK_JAVA_OPTIONS=-Daws.secretKey=*** -Dx.passwd=*** -Xint"},
	} {
		if got := told("17", func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
	one := told("17", func(string) string { return long })
	other := told("17", func(string) string { return long + "z" })
	if one == other || len(one) > 600 {
		t.Errorf("long options that differ at their ends: %q and %q", one, other)
	}
}

// TestWrongJavaIsSaid: setting up cannot fix a wrong JAVA_HOME, so the error does not suggest it.
func TestWrongJavaIsSaid(t *testing.T) {
	t.Setenv(homeVar, t.TempDir())
	var missing *engine.Missing
	for _, c := range []struct {
		h    Home
		want string
	}{
		{Home{Engine: "x"}, "\nhint: unset JAVA_HOME"},
		{Home{Engine: "x", Dir: t.TempDir(), Param: "jdk"}, "\nhint: leave out jdk"},
	} {
		if _, _, err := c.h.Tool("java"); err == nil || errors.As(err, &missing) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.h, err)
		}
	}
}

func TestOldJavaIsRefused(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n"
	if err := os.WriteFile(filepath.Join(home, "bin", "java"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Home{Engine: "x", Dir: home, Param: "jdk", Oldest: 17}.Find(t.Context())
	if err == nil ||
		!strings.Contains(err.Error(), "is Java 11, but 17 or newer is needed\nhint: jdk=DIR or JAVA_HOME=DIR") {
		t.Errorf("Java 11 where 17 is needed: %v", err)
	}
	if in, err := (Home{Engine: "x", Dir: home, Param: "jdk", Oldest: 11}).Find(t.Context()); err != nil ||
		in.Version != "11.0.2" {
		t.Errorf("Java 11 where it will do: %+v, %v", in, err)
	}
}

func TestMajorVersions(t *testing.T) {
	for version, want := range map[string]int{"17.0.15+6-Debian": 17, "1.8.0_402-b06": 8, "25+36-LTS": 25, "": 0, "x": 0} {
		if got := majorOf(version); got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
}
