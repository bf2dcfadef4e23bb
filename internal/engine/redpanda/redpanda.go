// Package redpanda is the engine `redpanda`: one node of Redpanda, started from a binary of the user's. Nothing sets it
// up: its releases are in no package registry.
package redpanda

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const name = "redpanda"

// Engine is the engine `redpanda`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the log broker Redpanda, one node, from a binary or an unpacked package"
}

// The parameters.
const (
	ParamBin      = "bin"
	ParamMemory   = "memory"
	ParamSettings = "settings"
	ParamOptions  = "options"
	ParamTLS      = engine.ParamTLS
)

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamBin, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "program, or the directory into which a deb or tarball was unpacked; default: that in /opt/redpanda, else " +
				"redpanda in PATH"},
		{Name: ParamMemory, Minor: true, Kind: record.Size, Default: "2GiB", Min: 256 << 20, Max: 1 << 44,
			Phase: record.Server,
			Doc: "memory of all shards together (--memory), allocated at the start; Redpanda's own default is nearly all of " +
				"the machine's"},
		{Name: ParamSettings, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "further settings of the section redpanda in redpanda.yaml, as YAML; those set by plimsoll are refused"},
		{Name: ParamOptions, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "further options of the program, separated by spaces, such as " +
				"--io-properties-file=/etc/redpanda/io-config.yaml"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "clients speak TLS, with a key made for the start"},
	}
}

// Check implements engine.Checker.
func (Engine) Check(p engine.Params) error {
	if _, err := parseSettings(p.Text(ParamSettings)); err != nil {
		return err
	}
	return checkOptions(p.Text(ParamOptions))
}

// Find implements engine.Engine.
func (Engine) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	found, err := find(p.Text(ParamBin))
	if err != nil {
		return engine.Install{}, err
	}
	said, err := engine.Answer(ctx, name, found.path, append(found.args, "--version")...)
	if err != nil {
		return engine.Install{}, err
	}
	version, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if version == "" {
		return engine.Install{}, fmt.Errorf("%s: %s does not print its version", name, found.program)
	}
	return engine.Install{Name: name, Path: found.program, Version: version, From: found.from}, nil
}

// Instance is a running node.
type Instance struct {
	*engine.Server
	// IO is the digest of the properties of its disks that it was given, as rpk iotune measures them; "none": it schedules
	// I/O without.
	IO string
}

// TLS returns the configuration for clients; nil: plain text.
func (i *Instance) TLS() (*tls.Config, error) { return engine.Pin(i.Certificate()) }

// Start implements engine.Engine. The Instance is a *Instance.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	found, err := find(in.Path)
	if err != nil {
		return nil, err
	}
	option, digest, err := ioProperties(s.Params.Text(ParamOptions), tuned)
	if err != nil {
		return nil, err
	}
	server, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c, err := command(found, s, at)
		c.Args = append(c.Args, option...)
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return &Instance{server, digest}, nil
}

// command returns the command that starts the node at an address; its files are in the scratch directory.
func command(f program, s engine.Settings, at netip.AddrPort) (engine.Command, error) {
	// Its directory is discarded, so that it need not flush its memory.
	c := engine.Command{Engine: name, Path: f.path, ParentDeath: unix.SIGKILL, Interrupt: unix.SIGKILL, Args: f.args}
	n := node{dir: s.Scratch, at: at}
	ports, err := engine.FreePorts(2)
	if err != nil {
		return c, err
	}
	n.rpc, n.admin = int(ports[0]), int(ports[1])
	if s.Params.Bool(ParamTLS) {
		if err := engine.SelfSign(s.Scratch, at.Addr().String()); err != nil {
			return c, err
		}
		c.Certificate = engine.CertPath(s.Scratch)
		n.cert, n.key = c.Certificate, filepath.Join(s.Scratch, engine.KeyFile)
	}
	text, err := n.config(s.Params.Text(ParamSettings))
	if err != nil {
		return c, err
	}
	for file, text := range map[string]string{configFile: text, bootstrapFile: bootstrap} {
		if err := os.WriteFile(filepath.Join(s.Scratch, file), []byte(text), 0o600); err != nil {
			return c, err
		}
	}
	if err := os.MkdirAll(filepath.Join(s.Scratch, dataDir), 0o700); err != nil {
		return c, err
	}
	c.Args = append(c.Args, "--redpanda-cfg", configFile, "--default-log-level=warn",
		fmt.Sprintf("--memory=%dM", s.Params.Int(ParamMemory)>>20))
	if len(s.CPUs) > 0 {
		c.Args = append(c.Args, "--cpuset="+record.FormatCPUList(s.CPUs))
	}
	c.Args = append(c.Args, strings.Fields(s.Params.Text(ParamOptions))...)
	return c, nil
}

// checkOptions returns an error for options that plimsoll sets.
func checkOptions(text string) error {
	for _, word := range strings.Fields(text) {
		for _, own := range []string{"--redpanda-cfg", "--node-cfg", "--memory", "-m", "--cpuset", "--smp", "-c"} {
			if option, _, _ := strings.Cut(word, "="); option == own {
				return fmt.Errorf("%s: %s is set by plimsoll\nhint: leave it out; memory and CPU sets are parameters", ParamOptions,
					own)
			}
		}
		if !strings.HasPrefix(word, "-") {
			return fmt.Errorf("%s: %q is no option\nhint: --NAME=VALUE, without a space", ParamOptions, word)
		}
	}
	return nil
}
