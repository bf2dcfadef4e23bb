package kafka

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

func resolve(t *testing.T, set record.Params) engine.Params {
	t.Helper()
	p, err := engine.Resolve(Engine{}, set)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func alone(t *testing.T) node {
	t.Helper()
	l, err := newLayout(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return node{layout: l, id: 1}
}

// TestReleases: each release is its folder's, all have the same provider, and the default one is among them.
func TestReleases(t *testing.T) {
	if !slices.Contains(releases(), defaultRelease) {
		t.Errorf("%s is not among %q", defaultRelease, releases())
	}
	for _, release := range releases() {
		b, err := build(release, "")
		if err != nil || b.Version != release || b.Oldest < 11 ||
			!strings.Contains(string(b.Pins), "kafka_2.13-"+release+".jar") {
			t.Errorf("%s: %+v, %v", release, b.Home, err)
		}
		if v := jvm.Property(b.Pom, "corretto"); v == "" || v != correttoVersion() {
			t.Errorf("%s: corretto %q", release, v)
		}
		// Its logging is configured in the words of the library that it brings.
		file, _ := logging(release)
		for _, name := range []string{file, mainClass + ".java", startClass + ".java"} {
			if len(b.Files[name]) == 0 {
				t.Errorf("%s has no %s", release, name)
			}
		}
		if keeper := zookeeper(release); keeper != "" && !strings.Contains(string(b.Pins), "zookeeper-"+keeper+".jar") {
			t.Errorf("%s: ZooKeeper %s is not pinned", release, keeper)
		}
	}
}

func TestSettingsAreRead(t *testing.T) {
	got, err := parseSettings("# a comment\n\n num.io.threads = 16\nmessage.max.bytes=2000000\n!another\nempty=\n")
	want := []setting{{"num.io.threads", "16"}, {"message.max.bytes", "2000000"}, {"empty", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestParametersThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{ParamSettings: "a=1\nnothing"}, `line 2 of settings, "nothing", is not name=value`},
		{record.Params{ParamSettings: `a=1\`}, "without backslashes"},
		{record.Params{ParamSettings: "listeners=PLAINTEXT://:9092"}, "listeners is set by plimsoll"},
		{record.Params{ParamSettings: "log.retention.hours=9"}, "log.retention.hours is set by plimsoll"},
		{record.Params{ParamSettings: "log.dirs=/elsewhere"}, "log.dirs is set by plimsoll"},
		{record.Params{ParamOptions: "-XX:-UseAES now"}, `"now" is not an option`},
		{record.Params{ParamOptions: "-Xmx9g"}, "-Xmx9g is set by plimsoll"},
		{record.Params{ParamHeap: "1MiB"}, "outside"},
		{record.Params{ParamGC: "shenandoah"}, "is not one of g1"},
		{record.Params{ParamKeystore: "k.pem"}, "keystore is set, but TLS is off"},
	} {
		if _, err := engine.Resolve(Engine{}, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

// lastOf returns the value that a broker reads last of each name.
func lastOf(text string) map[string]string {
	last := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		last[name] = value
	}
	return last
}

// TestOursWin: a user's settings precede ours, and the last one of a name wins.
func TestOursWin(t *testing.T) {
	at := netip.MustParseAddrPort("0.0.0.0:9092")
	text,
		err := properties(
		resolve(t, record.Params{ParamSettings: "num.io.threads=3\nlog.segment.bytes=5000000", ParamTLS: "true"}), at,
		alone(t))
	if err != nil {
		t.Fatal(err)
	}
	last := lastOf(text)
	for name, want := range map[string]string{
		"num.io.threads": "3", "log.segment.bytes": "5000000", "advertised.listeners": "CLIENT://127.0.0.1:9092",
		"log.dirs": logDir, "node.id": "1",
		"listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENT:SSL", "ssl.keystore.location": keystoreFile,
		"log.segment.delete.delay.ms": "0",
	} {
		if last[name] != want {
			t.Errorf("%s=%s, want %s", name, last[name], want)
		}
	}
	if !strings.HasPrefix(last["listeners"], "CLIENT://0.0.0.0:9092,CONTROLLER://127.0.0.1:") {
		t.Errorf("listeners=%s", last["listeners"])
	}
}

// TestNothingIsOverruled: a setting that ours would override is refused.
func TestNothingIsOverruled(t *testing.T) {
	const last = "num.io.threads=3"
	for _, n := range []node{alone(t), keptNode(t)} {
		text, err := properties(resolve(t, record.Params{ParamSettings: last, ParamTLS: "true"}),
			netip.MustParseAddrPort("127.0.0.1:9092"), n)
		_, ours, found := strings.Cut(text, last+"\n")
		if err != nil || !found || ours == "" {
			t.Fatalf("%q, %v", text, err)
		}
		for line := range strings.Lines(ours) {
			if _, err := parseSettings(line); err == nil || !strings.Contains(err.Error(), "is set by plimsoll") {
				t.Errorf("%s is taken, and overruled: %v", strings.TrimSpace(line), err)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	for gc, want := range map[string]string{gcG1: "-XX:+UseG1GC", gcParallel: "-XX:+UseParallelGC",
		gcSerial: "-XX:+UseSerialGC", gcZ: "-XX:+UseZGC"} {
		if got := memory(resolve(t, record.Params{ParamGC: gc, ParamHeap: "128MiB"})); !slices.Contains(got, want) ||
			got[0] != "-Xms131072k" || got[1] != "-Xmx131072k" {
			t.Errorf("%s: %v", gc, got)
		}
	}
}

func TestProvidersBeginWithCorrettos(t *testing.T) {
	got, err := providers("# security.provider.tbd=X\nsecurity.provider.1=SUN\nsecurity.provider.2=SunRsaSign \nother=1\n")
	want := "security.provider.1=" + correttoClass + "\nsecurity.provider.2=SUN\nsecurity.provider.3=SunRsaSign\n"
	if err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := providers("nothing"); err == nil {
		t.Error("a list without providers was taken")
	}
}
