package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"plimsoll/internal/base/xdg"
)

// answersWithin bounds the time to print a version.
const answersWithin = 20 * time.Second

// Program finds a program: by the environment variable, in PATH, or in the directories of system programs, which are
// not in every user's PATH. from is the variable, "PATH" or the directory. An empty variable or name omits that way.
func Program(engine, name, variable string) (path, from string, err error) {
	if path := os.Getenv(variable); variable != "" && path != "" {
		if _, err := exec.LookPath(path); err != nil || !filepath.IsAbs(path) {
			return "", "", fmt.Errorf("%s: %s=%s is not the absolute path of a program\nhint: unset %s, or correct "+
				"it", engine, variable, path, variable)
		}
		return path, variable, nil
	}
	if path, err := exec.LookPath(name); err == nil && filepath.IsAbs(path) {
		return path, "PATH", nil
	}
	system := []string{"/usr/local/sbin", "/usr/sbin"}
	for _, dir := range system {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, dir, nil
		}
	}
	looked := "PATH, " + strings.Join(system, " or ")
	if variable != "" {
		looked += ", and " + variable + " is not set"
	}
	return "", "", &Missing{Engine: engine, What: name, Looked: looked}
}

// Answer returns a program's output when asked for its version. In a context by Remembering it asks once.
func Answer(ctx context.Context, engine, path string, args ...string) (string, error) {
	out, err := remembered(ctx, func() ([]byte, error) { return ask(ctx, path, args) }, path, args)
	if err != nil && ctx.Err() != nil { // it was killed for that
		return "", fmt.Errorf("%s: %s: %w", engine, path, context.Cause(ctx))
	}
	if err != nil {
		var said Output
		_, _ = said.Write(out)
		return "", fmt.Errorf("%s: %s %s: %w%s", engine, path, strings.Join(args, " "), err, said.Last())
	}
	return string(out), nil
}

func ask(ctx context.Context, path string, args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	return cmd.CombinedOutput()
}

// CacheDir returns the directory for an engine's setup, whether it exists or not.
func CacheDir(engine string) (string, error) {
	cache := xdg.Cache().Dir(os.Getenv)
	if cache == "" {
		return "", fmt.Errorf("%s: no directory for the setup: neither HOME nor XDG_CACHE_HOME is set\nhint: "+
			"export XDG_CACHE_HOME=DIR", engine)
	}
	return filepath.Join(cache, "engines", engine), nil
}

// Install is a found program, or the directory of a setup.
type Install struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"`
	Version string    `json:"version"`
	From    string    `json:"from"`           // how it was found: "PATH", "cache", an environment variable, a directory
	Uses    []Install `json:"uses,omitempty"` // runtime dependencies, such as a Java runtime
}

// Keys returns an install's part of a trial's identity: "engine.NAME" and the version, including its dependencies.
func (in Install) Keys() map[string]string {
	keys := map[string]string{"engine." + in.Name: in.Version}
	for _, u := range in.Uses {
		for k, v := range u.Keys() {
			keys[k] = v
		}
	}
	return keys
}

// Use returns in's dependency of that name, or false if there is none.
func (in Install) Use(name string) (Install, bool) {
	for _, u := range in.Uses {
		if u.Name == name {
			return u, true
		}
	}
	return Install{}, false
}

// Missing is the error of an engine, or a part of one, that is absent, or not as it was set up, and that can be set
// up.
type Missing struct {
	Engine  string
	What    string // missing part, if not the engine itself
	Looked  string // searched places
	Changed string // what is wrong with it, if it is present
}

func (m *Missing) Error() string {
	if m.Changed != "" {
		return fmt.Sprintf("%s: %s in %s %s, so it is not "+
			"started\nhint: plimsoll setup %s", m.Engine, m.What, m.Looked, m.Changed, m.Engine)
	}
	what := m.What
	if what == "" {
		what = "it"
	}
	return fmt.Sprintf("%s: %s is not in %s\nhint: plimsoll setup %s", m.Engine, what, m.Looked, m.Engine)
}
