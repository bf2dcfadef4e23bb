// Package netty is the engine `netty`: a small HTTP server on Netty, whose source is embedded, compiled at setup,
// and run by the installed Java runtime.
package netty

import (
	"context"
	_ "embed"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

const (
	name = "netty"

	paramTransport = "transport"
	nio            = "nio"
	epoll          = "epoll"
)

// Engine is the engine `netty`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "a small HTTP/1.1 server on Netty " + release().Version + ", run by the installed Java"
}

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return append(engine.WebParams(), record.Param{
		Name: paramTransport, Kind: record.Enum, Default: nio, Choices: []string{nio, epoll}, Phase: record.Server,
		Doc: "nio is Java's own, epoll Netty's native one",
	})
}

// heat lasts until the runtime has compiled the path of a request: a log broker on the same runtime took about 10 s
// to reach its speed.
const heat = 10 * time.Second

// Heat implements engine.Web.
func (Engine) Heat() time.Duration { return heat }

// Find implements engine.Engine.
func (Engine) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	r := release()
	java, err := r.Find(ctx)
	if err != nil {
		return engine.Install{}, err
	}
	dir, err := r.Here()
	if err != nil {
		return engine.Install{}, err
	}
	if p.Text(paramTransport) == epoll {
		if err := checkNative(dir, r.Version); err != nil {
			return engine.Install{}, err
		}
	}
	return engine.Install{Name: name, Path: dir, Version: r.Version, From: "cache", Uses: []engine.Install{java}}, nil
}

// Start implements engine.Engine.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	java, err := jvm.Of(in)
	if err != nil {
		return nil, err
	}
	threads, err := s.Workers()
	if err != nil {
		return nil, fmt.Errorf("netty: %w", err)
	}
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c := engine.Command{Engine: name, Path: java.Path, ParentDeath: unix.SIGKILL, Args: jvm.Quiet()}
		set := func(name, value string) { c.Args = append(c.Args, "-D"+name+"="+value) }
		set("java.io.tmpdir", s.Scratch)
		set("io.netty.native.workdir", s.Scratch)
		set("host", at.Addr().String())
		set("port", strconv.Itoa(int(at.Port())))
		set("threads", strconv.Itoa(threads))
		set(paramTransport, s.Params.Text(paramTransport))
		set("body", bodyFile)
		set("hello", helloFile)
		if s.Params.Bool(engine.ParamTLS) {
			set("cert", engine.CertFile)
			set("key", engine.KeyFile)
			c.Certificate = engine.CertPath(s.Scratch)
		}
		c.Args = append(c.Args, "-cp", jvm.ClassPath(in.Path), mainClass)
		return c, write(s, at)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// The files that the server reads from its working directory.
const (
	bodyFile  = "body"
	helloFile = "hello"
)

func write(s engine.Settings, at netip.AddrPort) error {
	for file, content := range map[string][]byte{
		bodyFile:  engine.Body(s.Params.Int(engine.ParamBody)),
		helloFile: []byte(engine.Hello),
	} {
		if err := os.WriteFile(filepath.Join(s.Scratch, file), content, 0o600); err != nil {
			return fmt.Errorf("netty: %w", err)
		}
	}
	if s.Params.Bool(engine.ParamTLS) {
		if err := engine.SelfSign(s.Scratch, at.Addr().String()); err != nil {
			return fmt.Errorf("netty: %w", err)
		}
	}
	return nil
}

//go:embed source/HelloServer.java
var source []byte

// pom pins the dependencies of the source.
//
//go:embed source/pom.xml
var pom []byte

// pins are the SHA-256 of the downloads.
//
//go:embed source/sha256sums
var pins []byte

const mainClass = "HelloServer"

// release returns the embedded build.
func release() jvm.Build {
	version := jvm.Property(pom, "netty")
	return jvm.Build{
		Home: jvm.Home{Engine: name}, Pom: pom, Pins: pins, Files: map[string][]byte{mainClass + ".java": source},
		Main: mainClass + ".java", Release: 11,
		Version: version, Fetches: "Netty " + version,
	}
}

// checkNative returns an error if there is no native transport for this machine.
func checkNative(dir, version string) error {
	machine, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch_64"}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("netty: there is no native transport for %s\nhint: leave out %s",
			runtime.GOARCH, paramTransport)
	}
	jar := filepath.Join(dir, jvm.LibDir, "netty-transport-native-epoll-"+version+"-linux-"+machine+".jar")
	if _, err := os.Stat(jar); err != nil {
		return &engine.Missing{Engine: name, What: filepath.Base(jar), Looked: dir}
	}
	return nil
}

// Setup implements engine.Setup.
func (Engine) Setup(context.Context) ([]engine.Step, error) { return release().Steps() }
