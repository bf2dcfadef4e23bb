package minio

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) { enginetest.Main(m, Engine{}, nil) }

// found skips a test unless the server is built: that takes minutes of CPU time, and belongs to the night.
func found(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs MinIO")
	}
	if simtest.Night() {
		enginetest.SetUp(t, Engine{})
		return
	}
	var missing *engine.Missing
	if _, err := engine.FindDefault(t.Context(), Engine{}); errors.As(err, &missing) {
		t.Skip("MinIO isn't built here: plimsoll setup minio builds it")
	} else if err != nil {
		t.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	found(t)
	enginetest.Run(t, Engine{},
		enginetest.Case{Name: "four drives", Params: record.Params{ParamDrives: "4", ParamParity: "1"}, Answers: answers},
		enginetest.Case{Name: "TLS", Params: record.Params{ParamTLS: "true"}, Answers: answers},
	)
}

// answers checks that the server is one of S3, and has its drives.
func answers(p engine.Params, i engine.Instance) error {
	v := i.(*Instance)
	secure, err := v.TLS()
	if err != nil {
		return err
	}
	scheme := "http://"
	if p.Bool(ParamTLS) {
		scheme = "https://"
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: secure, DisableKeepAlives: true}}
	resp, err := client.Get(scheme + v.Addrs()[0] + "/bucket")
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		return fmt.Errorf("a request without keys: status %d, want 403", resp.StatusCode)
	}
	if n := p.Int(ParamDrives); len(v.Drives()) != n {
		return fmt.Errorf("it has the drives %v, want %d", v.Drives(), n)
	}
	for _, drive := range v.Drives() {
		if _, err := os.Stat(filepath.Join(drive, ".minio.sys", "format.json")); err != nil {
			return err
		}
	}
	return nil
}

// TestKeysAreInNoFile: the credentials of a start are its own, and nothing that it writes has them.
func TestKeysAreInNoFile(t *testing.T) {
	found(t)
	start := func() (*Instance, string) {
		p, err := engine.Resolve(Engine{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		in, err := (Engine{}).Find(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		i, err := (Engine{}).Start(t.Context(), in, engine.Settings{Params: p, Scratch: dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = i.Stop(context.Background()) })
		return i.(*Instance), dir
	}
	a, dir := start()
	b, _ := start()
	if a.Keys() == b.Keys() || len(a.Keys().Secret) < 40 {
		t.Error("two starts share their keys, or they are short")
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), a.Keys().Secret) || strings.Contains(string(text), a.Keys().Access) {
			t.Errorf("%s contains a key", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestParameters(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{nil, ""}, {record.Params{ParamDrives: "4", ParamParity: "2"}, ""},
		{record.Params{ParamDrives: "4", ParamParity: "3"}, "parity is at most half"},
		{record.Params{ParamParity: "1"}, "parity is at most half"},
		{record.Params{ParamDrives: "17"}, "16"},
	} {
		_, err := engine.Resolve(Engine{}, c.set)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

// TestBuild: the version is pinned, a missing server names its setup, and the steps of the setup build what Find finds.
func TestBuild(t *testing.T) {
	if !strings.HasPrefix(version(), "v0.0.0-") || !strings.Contains(string(goSum), module+" "+version()+" h1:") {
		t.Errorf("version %q isn't pinned with its digest", version())
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	_, err := engine.FindDefault(t.Context(), Engine{})
	var missing *engine.Missing
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "plimsoll setup minio") {
		t.Fatalf("in an empty cache: %v", err)
	}
	steps, err := (Engine{}).Setup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	build := steps[1]
	if err := steps[0].Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// In place of the compiler's work: what is tested here is the place of its result.
	if err := os.WriteFile(filepath.Join(build.Dir, program), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := steps[2].Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if in, err := engine.FindDefault(t.Context(), Engine{}); err != nil || in.Version != version() {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := os.Stat(build.Dir); !os.IsNotExist(err) {
		t.Errorf("the build's files are left: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := (Engine{}).Setup(t.Context()); err == nil || !strings.Contains(err.Error(), "hint: install Go") {
		t.Errorf("without Go: %v", err)
	}
}
