package redpanda

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) {
	roles := map[string]func([]string) int{}
	for _, option := range []string{"--version", "--redpanda-cfg"} {
		roles[option] = func(args []string) int { return enginetest.Redpanda(append([]string{option}, args...)) }
	}
	enginetest.Main(m, Engine{}, roles)
}

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts servers")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Run(t, Engine{},
		enginetest.Case{Name: "plain", Params: record.Params{ParamBin: self}, Answers: answers},
		enginetest.Case{Name: "TLS", Params: record.Params{ParamBin: self, ParamTLS: "true",
			ParamSettings: "developer_mode: true"}, Answers: answers},
	)
}

func answers(_ engine.Params, i engine.Instance) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	secure, err := i.(*Instance).TLS()
	if err != nil {
		return err
	}
	opts := []kgo.Opt{kgo.SeedBrokers(i.Addrs()...), kgo.DefaultProduceTopic("try")}
	if secure != nil {
		opts = append(opts, kgo.DialTLSConfig(secure))
	}
	c, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.ProduceSync(ctx, &kgo.Record{Value: []byte("a")}).FirstErr()
}

// TestFind: the program is found in an unpacked package, with the loader that comes with it; what is none is refused.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	put := func(path string, mode os.FileMode) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	deb, loader := put("deb/opt/redpanda/libexec/redpanda", 0o755), put("deb/opt/redpanda/lib/ld.so", 0o755)
	tarball, package_ := put("tar/libexec/redpanda", 0o755), put("redpanda.deb", 0o644)
	for _, c := range []struct{ bin, path, program, fails string }{
		{filepath.Join(dir, "deb"), loader, deb, ""},
		{deb, loader, deb, ""},
		{filepath.Join(dir, "tar"), tarball, tarball, ""},
		{package_, "", "", "hint: unpack a package first"},
		{filepath.Join(dir, "none"), "", "", "no such file"},
		{t.TempDir(), "", "", "has none of"},
	} {
		got, err := find(c.bin)
		if got.path != c.path || got.program != c.program || (err == nil) != (c.fails == "") ||
			err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %+v, %v", c.bin, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set   record.Params
		fails string
	}{
		{record.Params{ParamSettings: "developer_mode: true\nlog_segment_size: 16777216"}, ""},
		{record.Params{ParamSettings: "kafka_api: []"}, "kafka_api is set by plimsoll"},
		{record.Params{ParamSettings: "- a"}, "NAME: VALUE"},
		{record.Params{ParamOptions: "--abort-on-seastar-bad-alloc --io-properties-file=/etc/io.yaml"}, ""},
		{record.Params{ParamOptions: "--smp=2"}, "--smp is set by plimsoll"},
		{record.Params{ParamOptions: "--smp 2"}, "--smp is set by plimsoll"},
		{record.Params{ParamOptions: "--abort-on-seastar-bad-alloc 1"}, `"1" is no option`},
	} {
		_, err := engine.Resolve(Engine{}, c.set)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
}

// TestIOProperties: what the tuner has measured is passed on, as its own start does, unless the user names another
// file.
func TestIOProperties(t *testing.T) {
	usual, own := filepath.Join(t.TempDir(), "io-config.yaml"), filepath.Join(t.TempDir(), "own.yaml")
	for path, text := range map[string]string{usual: "disks: []\n", own: "disks: [1]\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ options, usual, option, digest string }{
		{"", usual, "--io-properties-file=" + usual, "sha256 "},
		{"--io-properties-file=" + own, usual, "", "sha256 "},
		{"--io-properties={}", usual, "", "in options"},
		{"", usual + ".none", "", "none"},
		{"--io-properties-file=" + own + ".none", usual, "", ""},
	} {
		option, digest, err := ioProperties(c.options, c.usual)
		if strings.Join(option, " ") != c.option || !strings.HasPrefix(digest, c.digest) || (err == nil) != (c.digest != "") {
			t.Errorf("%q: %q, %q, %v", c.options, option, digest, err)
		}
	}
}
