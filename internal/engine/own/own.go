// Package own is the engine `own`: a web server of the user's, started for each run by a command.
package own

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/process"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// Name is the engine's name.
const Name = "own"

// The parameters: the command, and the directory in which it runs.
const (
	ParamStart = "start"
	ParamDir   = "dir"
)

// portVariable is the variable of the command's environment that holds the port: many services read it.
const portVariable = "PORT"

// Engine is the engine `own`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return Name }

// Doc implements engine.Engine.
func (Engine) Doc() string { return "a web server of your own, started for each run by a command" }

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamStart, Kind: record.Text, Phase: record.Server,
			Doc: "the command, such as 'node server.js {port}', which stays in the foreground; {port} and {host} are those " +
				"at which it must listen, and " + portVariable + " in its environment is the port; sh runs it if it contains " +
				"shell syntax"},
		{Name: ParamDir, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory in which the command runs, on the server's host; default: that in which plimsoll was " +
				"called, or on another host its agent was started"},
	}
}

// Heat implements engine.Web: whether the server has a JIT compiler is unknown.
func (Engine) Heat() time.Duration { return 0 }

// inShell is the version of a server that a shell starts: of what program, the command alone does not tell.
const inShell = "sh"

// Find implements engine.Engine. The version is the executable's digest.
func (Engine) Find(_ context.Context, p engine.Params) (engine.Install, error) {
	in := engine.Install{Name: Name, From: "your command"}
	text := p.Text(ParamStart)
	if strings.TrimSpace(text) == "" {
		return in, nil
	}
	dir, err := directory(p)
	if err != nil {
		return in, err
	}
	if process.ShellSyntax(text) != "" {
		in.Version = inShell
		in.Path, err = process.Locate(dir, "sh")
		if first := process.FirstWord(text); err == nil && strings.Contains(first, "/") {
			_, err = program(dir, first)
		}
		return in, err
	}
	words, err := wordsOf(text)
	if err != nil {
		return in, err
	}
	if in.Path, err = program(dir, words[0]); err != nil {
		return in, err
	}
	in.Version, err = digest(in.Path)
	return in, err
}

// directory returns the directory in which the command runs.
func directory(p engine.Params) (string, error) {
	dir, err := filepath.Abs(p.Text(ParamDir))
	if err != nil {
		return "", fmt.Errorf("own: plimsoll's own directory: %w", err)
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", fmt.Errorf("own: there is no directory %s\nhint: --dir DIR, on the server's host, is where the command "+
			"runs", dir)
	}
	return dir, nil
}

// program returns the absolute path of what a command's first word starts.
func program(dir, word string) (string, error) {
	path, err := process.Locate(dir, word)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("own: %s in %s may not be executed\nhint: chmod +x makes a file executable", word, dir)
	case err != nil && strings.Contains(word, "/"):
		return "", fmt.Errorf("own: there is no program %s in %s\nhint: the command runs there; --dir DIR is another "+
			"directory", word, dir)
	case err != nil:
		return "", fmt.Errorf("own: there is no program %s in PATH\nhint: %s", word, besides(dir, word))
	case !filepath.IsAbs(path):
		path = filepath.Join(dir, path)
	}
	return path, nil
}

// besides tells of a program of that name where a shell does not look: in the directory itself, and where Python and
// Node keep those of a project.
func besides(dir, word string) string {
	for _, at := range []string{"./", ".venv/bin/", "venv/bin/", "node_modules/.bin/"} {
		if _, err := process.Locate(dir, at+word); err == nil {
			return "there is " + at + word
		}
	}
	return "check its name; one in the directory of the command is ./" + word
}

// wordsOf splits a command as a shell does; its error is the user's.
func wordsOf(text string) ([]string, error) {
	words, err := shellquote.Split(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("own: the command %s ends inside a quotation or after a backslash", text)
	case len(words) == 0 || words[0] == "":
		return nil, fmt.Errorf("own: no command starts the server\nhint: --start './svc --port {port}'")
	}
	return words, nil
}

// digest returns the beginning of the SHA-256 of a file.
func digest(path string) (string, error) {
	f, err := input.Open(path)
	if err != nil {
		return "", fmt.Errorf("own: read the program: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("own: read the program: %w", err)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))[:12], nil
}

// Start implements engine.Engine.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	text := s.Params.Text(ParamStart)
	args, shell := []string{"-c", text}, in.Version == inShell
	if !shell {
		words, err := wordsOf(text)
		if err != nil {
			return nil, err
		}
		args = words[1:]
	}
	dir, err := directory(s.Params)
	if err != nil {
		return nil, err
	}
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		port := strconv.Itoa(int(at.Port()))
		fill := strings.NewReplacer("{port}", port, "{host}", at.Addr().String())
		c := engine.Command{Engine: "the command", Users: true, Path: in.Path, Dir: dir, ParentDeath: unix.SIGKILL,
			Env: []string{portVariable + "=" + port}}
		for _, w := range args {
			c.Args = append(c.Args, fill.Replace(w))
		}
		return c, nil
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
