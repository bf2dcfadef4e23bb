package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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

// Answer returns a program's output when asked for its version.
func Answer(ctx context.Context, engine, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		var said Output
		_, _ = said.Write(out)
		return "", fmt.Errorf("%s: %s %s: %w%s", engine, path, strings.Join(args, " "), err, said.Last())
	}
	return string(out), nil
}

// CacheDir returns the directory for an engine's setup, whether it exists or not.
func CacheDir(engine string) (string, error) {
	cache := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) { // the XDG specification ignores others
		home := os.Getenv("HOME")
		if home == "" {
			return "", fmt.Errorf("%s: no directory for the setup: neither HOME nor XDG_CACHE_HOME is set\nhint: "+
				"export XDG_CACHE_HOME=DIR", engine)
		}
		cache = filepath.Join(home, ".cache")
	}
	return filepath.Join(cache, "plimsoll", "engines", engine), nil
}
