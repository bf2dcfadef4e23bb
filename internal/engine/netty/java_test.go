package netty

import (
	"errors"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestJavaVersion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)\nOpenJDK 64-Bit Server VM (build 17.0.15+6-Debian-1deb12u1, mixed mode, sharing)\n",
			"17.0.15+6-Debian-1deb12u1"},
		{"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"21.0.4\" 2024-07-16 LTS\nOpenJDK Runtime Environment Corretto-21.0.4.7.1 (build 21.0.4+7-LTS)\nOpenJDK 64-Bit Server VM Corretto-21.0.4.7.1 (build 21.0.4+7-LTS, mixed mode, sharing)\n",
			"21.0.4+7-LTS"},
		{"java version \"11.0.1\"\n", "11.0.1"},
		{"NOTE: Picked up JDK_JAVA_OPTIONS: -Da=version \"9\"\nPicked up _JAVA_OPTIONS: -Db=(build 8)\nopenjdk version \"21.0.4\"\n", "21.0.4"},
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
		{map[string]string{"_JAVA_OPTIONS": "-Xmx2g", "JAVA_TOOL_OPTIONS": "-Xmx1g"}, "17 JAVA_TOOL_OPTIONS=-Xmx1g _JAVA_OPTIONS=-Xmx2g"},
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

func TestReleaseIsReadFromThePOM(t *testing.T) {
	r := release()
	if !strings.HasSuffix(r.netty, ".Final") || !strings.HasPrefix(r.id, r.netty+"-") || !strings.Contains(string(pom), "<netty>"+r.netty+"</netty>") {
		t.Errorf("the release is %+v", r)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Setenv(javaHome, t.TempDir())
	_, _, err := javaTool("java")
	var missing *engine.Missing
	if err == nil || errors.As(err, &missing) || !strings.Contains(err.Error(), "\nhint: unset JAVA_HOME") {
		t.Errorf("a JAVA_HOME without Java: %v", err)
	}
	dir := t.TempDir()
	if err := release().checkNative(dir); !errors.As(err, &missing) || !strings.Contains(err.Error(), "netty-transport-native-epoll-") {
		t.Errorf("without the native transport: %v", err)
	}
}

// TestPublishTakesThePlaceOfAnEarlierServer: what is there before is replaced as a whole.
func TestPublishTakesThePlaceOfAnEarlierServer(t *testing.T) {
	dir := t.TempDir() + "/engines/netty/1"
	for _, content := range []string{"old", "new"} {
		work := dir + ".partial"
		if err := unpack(work); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(work+"/"+content, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := publish(work, dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir + "/new"); err != nil {
		t.Error(err)
	}
	for _, gone := range []string{dir + "/old", dir + ".partial"} {
		if _, err := os.Stat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}
