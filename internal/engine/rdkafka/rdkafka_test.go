package rdkafka

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestVersionIn(t *testing.T) {
	for header, want := range map[string]string{
		"/* x */\n#define RD_KAFKA_VERSION 0x020002ff\n": "2.0.2",
		"#define  RD_KAFKA_VERSION\t0x010802ff\n":        "1.8.2",
		"#define RD_KAFKA_VERSION 0x02000b02\n":          "2.0.11-pre2",
		"#define RD_KAFKA_VERSION_X 0x02000b02\n":        "",
		"": "",
	} {
		if got, err := versionIn(header); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", header, got, err, want)
		}
	}
}

// TestPublishedIsFound: Find finds the build under the version of its header, and its sources are gone.
func TestPublishedIsFound(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var missing *engine.Missing
	if _, err := (Engine{}).Find(context.Background(), engine.Params{}); !errors.As(err, &missing) ||
		!strings.Contains(err.Error(), "\nhint: plimsoll setup rdkafka") {
		t.Errorf("before: %v", err)
	}
	cache, err := engine.CacheDir(name)
	if err != nil {
		t.Fatal(err)
	}
	from := engine.AptSource{Engine: name, Package: source, Work: filepath.Join(cache, "partial")}
	for _, v := range []struct{ version, hex string }{{"2.0.2", "020002"}, {"2.0.11", "02000b"}, {"1.9.2", "010902"}} {
		tree := filepath.Join(from.Work, "tree", source+"-"+v.version)
		for path, text := range map[string]string{"src/rdkafka.h": "#define RD_KAFKA_VERSION 0x" + v.hex + "ff\n",
			"examples/" + program: ""} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(tree, path)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(tree, path), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := publish(from, cache); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(from.Work); err == nil {
			t.Errorf("%s is still there", from.Work)
		}
	}
	in, err := Engine{}.Find(context.Background(), engine.Params{})
	if err != nil || in.Version != "2.0.11" || in.Path != filepath.Join(cache, "2.0.11", program) ||
		in.Keys()["engine.rdkafka"] != "2.0.11" {
		t.Errorf("%+v, %v", in, err)
	}
	if err := publish(from, cache); err == nil || !strings.Contains(err.Error(), "has 0 trees") {
		t.Errorf("without a tree: %v", err)
	}
}

func TestItIsNoServer(t *testing.T) {
	if _, err := (Engine{}).Start(context.Background(), engine.Install{}, engine.Settings{}); err == nil ||
		!strings.Contains(err.Error(), "not a server\nhint: ") {
		t.Errorf("%v", err)
	}
}
