// Package own is the engine `own`: a web server of the user's, started for each run by a command.
package own

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/input"
	"plimsoll/internal/record"
)

// Name is the engine's name.
const Name = "own"

// ParamStart is the command.
const ParamStart = "start"

// Engine is the engine `own`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return Name }

// Doc implements engine.Engine.
func (Engine) Doc() string { return "a web server of your own, started for each run by a command" }

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return []record.Param{{Name: ParamStart, Kind: record.Text, Phase: record.Server,
		Doc: "the command, such as './svc --port {port}', which stays in the foreground; {port} and {host} are those " +
			"at which it must listen; its files are relative to plimsoll's own directory"}}
}

// Heat implements engine.Web: whether the server has a JIT compiler is unknown.
func (Engine) Heat() time.Duration { return 0 }

// Find implements engine.Engine. The version is the executable's digest.
func (Engine) Find(_ context.Context, p engine.Params) (engine.Install, error) {
	in := engine.Install{Name: Name, From: "your command"}
	if strings.TrimSpace(p.Text(ParamStart)) == "" {
		return in, nil
	}
	words, err := wordsOf(p.Text(ParamStart))
	if err != nil {
		return in, err
	}
	program := words[0]
	if strings.Contains(program, "/") {
		if program, err = filepath.Abs(program); err != nil {
			return in, fmt.Errorf("own: %w", err)
		}
	}
	if in.Path, _, err = engine.Program(Name, program, ""); err != nil {
		return in, fmt.Errorf("own: there is no program %s\nhint: check the path, which is relative to plimsoll's "+
			"own directory", words[0])
	}
	in.Version, err = digest(in.Path)
	return in, err
}

// wordsOf splits a command as a shell does; its error is the user's.
func wordsOf(text string) ([]string, error) {
	words, err := shellquote.Split(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("own: the command %s ends inside a quotation or after a backslash", text)
	case len(words) == 0:
		return nil, fmt.Errorf("own: no command starts the server\nhint: --start './svc --port {port}'")
	case !strings.Contains(text, "{port}"):
		return nil,
			fmt.Errorf("own: the command %s does not say at which port to listen\nhint: --start './svc --port {port}'", text)
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
	words, err := wordsOf(s.Params.Text(ParamStart))
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("own: plimsoll's own directory: %w", err)
	}
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		fill := strings.NewReplacer("{port}", strconv.Itoa(int(at.Port())), "{host}", at.Addr().String())
		c := engine.Command{Engine: Name, Path: in.Path, Dir: here, ParentDeath: unix.SIGKILL}
		for _, w := range words[1:] {
			c.Args = append(c.Args, fill.Replace(w))
		}
		return c, nil
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
