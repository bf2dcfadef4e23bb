package openssl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestFindWhatIsThere(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	var missing *engine.Missing
	if _, err := (Engine{}).Find(context.Background(), engine.Params{}); !errors.As(err, &missing) ||
		!strings.Contains(err.Error(), "plimsoll setup openssl") {
		t.Errorf("%v", err)
	}
	dir, err := engine.CacheDir(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"3.0.15", "3.0.9"} {
		tree := filepath.Join(dir, "openssl-"+v)
		if err := os.MkdirAll(tree, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, "Configure"), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if in, err := (Engine{}).Find(context.Background(), engine.Params{}); err != nil ||
		!strings.HasPrefix(in.Version, "3.0.") || in.From != "cache" {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := (Engine{}).Start(context.Background(), engine.Install{}, engine.Settings{}); err == nil ||
		!strings.Contains(err.Error(), "not a server") {
		t.Errorf("%v", err)
	}
}
