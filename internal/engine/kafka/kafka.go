// Package kafka is the engine `kafka`: brokers of Apache Kafka that are their own controllers (KRaft), from jars
// fetched by Maven, each with its own log and port.
package kafka

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

const name = "kafka"

// Engine is the engine `kafka`. Its zero value starts one broker.
type Engine struct {
	Kafka string  // release to set up; "": the default one. Start takes the parameter's
	Nodes int     // brokers of the cluster; 0: one
	Spare int     // further brokers that have a place and are not started at first: Instance.Start does
	Racks int     // that they are in, in turn; 0: in none
	CPUs  [][]int // of each broker; nil: those of the Settings, shared by all

	Layout *Layout // of a cluster of several hosts, of which Start starts one broker; nil: all are on this one
}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the log broker Apache Kafka " + defaultRelease + ", run by the installed Java; releases: " +
		strings.Join(releases(), ", ")
}

// The parameters.
const (
	ParamRelease  = engine.ParamRelease
	ParamHeap     = "heap"
	ParamGC       = "gc"
	ParamJDK      = "jdk"
	ParamTLS      = engine.ParamTLS
	ParamProvider = "provider"
	ParamKeystore = "keystore"
	ParamSettings = "settings"
	ParamOptions  = "java_options"
)

// The values of ParamProvider.
const (
	ProviderJDK      = "jdk"
	ProviderCorretto = "corretto"
)

// Params implements engine.Engine.
func (e Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamRelease, Minor: true, Kind: record.Enum, Default: cmp.Or(e.Kafka, defaultRelease), Choices: releases(),
			Phase: record.Server,
			Doc:   "release of Apache Kafka; plimsoll setup kafka@RELEASE sets up others than the default"},
		{Name: ParamHeap, Kind: record.Size, Default: "1GiB", Min: 64 << 20, Max: 1 << 40, Phase: record.Server,
			Doc: "size of the Java heap, allocated at the start; Kafka's own default is 1GiB"},
		{Name: ParamGC, Kind: record.Enum, Default: gcG1, Choices: []string{gcG1, gcParallel, gcSerial, gcZ},
			Phase: record.Server,
			Doc:   "garbage collector; g1 with the settings of Kafka's own scripts"},
		{Name: ParamJDK, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory of the JDK, or a release that plimsoll setup jdk@RELEASE sets up, such as 11.0.13; default: " +
				"JAVA_HOME's, else that of the java in PATH"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "clients speak TLS, with a key made for the start"},
		{Name: ParamProvider, Kind: record.Enum, Default: ProviderJDK, Choices: []string{ProviderJDK, ProviderCorretto},
			Phase: record.Server,
			Doc: "crypto provider: the JDK itself, or Amazon's Corretto crypto provider, which must be active and " +
				"pass its own tests or nothing starts"},
		{Name: ParamKeystore, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "for tls: PEM file with a private key (PKCS #8, not encrypted) and its certificates, instead of a " +
				"generated key"},
		{Name: ParamSettings, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "further settings as in server.properties, one per line: name=value; those set by plimsoll are " +
				"refused"},
		{Name: ParamOptions, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "further options of the Java runtime, separated by spaces, such as -XX:-UseAES; those of its heap " +
				"and class path are refused"},
	}
}

// Check implements engine.Checker.
func (Engine) Check(p engine.Params) error {
	if p.Text(ParamKeystore) != "" && !p.Bool(ParamTLS) {
		return fmt.Errorf("%s is set, but TLS is off\nhint: %s=true", ParamKeystore, ParamTLS)
	}
	if _, err := parseSettings(p.Text(ParamSettings)); err != nil {
		return err
	}
	return checkOptions(p.Text(ParamOptions))
}

// Releases implements engine.Released.
func (Engine) Releases() []string { return releases() }

// At implements engine.Released.
func (e Engine) At(release string) engine.Findable {
	e.Kafka = release
	return e
}

// Setup implements engine.Setup.
func (e Engine) Setup(context.Context) ([]engine.Step, error) {
	b, err := build(cmp.Or(e.Kafka, defaultRelease), "")
	if err != nil {
		return nil, err
	}
	steps, err := b.Steps()
	return append(steps, e.archiveStep()), err
}

// Find implements engine.Engine.
func (Engine) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	b, err := build(p.Text(ParamRelease), p.Text(ParamJDK))
	if err != nil {
		return engine.Install{}, err
	}
	java, err := b.Find(ctx)
	if err != nil {
		return engine.Install{}, err
	}
	dir, err := b.Here()
	if err != nil {
		return engine.Install{}, err
	}
	if _, err := keystore(p.Text(ParamKeystore)); err != nil {
		return engine.Install{}, fmt.Errorf("%s: %w", name, err)
	}
	in := engine.Install{Name: name, Path: dir, Version: b.Version, From: "cache", Uses: []engine.Install{java}}
	if keeper := zookeeper(b.Version); keeper != "" {
		in.Uses = append(in.Uses, engine.Install{Name: zookeeperName, Path: dir, Version: keeper, From: "cache"})
	}
	if p.Text(ParamProvider) == ProviderCorretto {
		jar, err := correttoJar(dir, cmp.Or(b.SetUpAs, name))
		if err != nil {
			return engine.Install{}, err
		}
		in.Uses = append(in.Uses, engine.Install{Name: ProviderCorretto, Path: jar, Version: correttoVersion(),
			From: "cache"})
		library, err := cryptoLibrary(jar)
		if err != nil {
			return engine.Install{}, err
		}
		if library != "" {
			in.Uses = append(in.Uses, engine.Install{Name: correttoLibrary, Path: jar, Version: library, From: "cache"})
		}
	}
	return in, nil
}

// correttoLibrary names the library that the provider encrypts by.
const correttoLibrary = ProviderCorretto + "_library"

// launching is how a broker is started.
type launching int

const (
	first launching = iota // its log directory is made
	again                  // in the directory of one that was killed
)

// command returns the command that starts a broker at an address; its files are in the scratch directory.
func command(java engine.Install, dir string, s engine.Settings, at netip.AddrPort, n node,
	how launching) (engine.Command, error) {
	p := s.Params
	// Its directory is discarded, so that it need not flush its memory.
	c := engine.Command{Engine: name, Path: java.Path, ParentDeath: unix.SIGKILL, Interrupt: unix.SIGKILL}
	path, err := classPath(dir, p.Text(ParamProvider))
	if err != nil {
		return c, err
	}
	if p.Bool(ParamTLS) {
		if c.Certificate, err = keys(s.Scratch, at.Addr().String(), n.keystore); err != nil {
			return c, err
		}
	}
	text, err := properties(p, at, n)
	if err != nil {
		return c, err
	}
	if err := os.WriteFile(filepath.Join(s.Scratch, propertiesFile), []byte(text), 0o600); err != nil {
		return c, err
	}
	c.Args = slices.Concat(jvm.Quiet(), memory(p), shared(dir, java))
	if p.Text(ParamProvider) == ProviderCorretto {
		if err := writeProviders(java.Path, filepath.Join(s.Scratch, providersFile)); err != nil {
			return c, err
		}
		c.Args = append(c.Args, "-Djava.security.properties="+providersFile)
	}
	c.Args = append(c.Args, strings.Fields(p.Text(ParamOptions))...)
	c.Args = append(c.Args,
		"-Djava.awt.headless=true", "-Djava.io.tmpdir="+s.Scratch, logs(dir, p), "-cp", path)
	if how == again {
		c.Args = append(c.Args, kafkaClass, propertiesFile)
	} else {
		c.Args = append(c.Args, mainClass, propertiesFile, clusterID, factsFile, p.Text(ParamProvider))
	}
	return c, nil
}

// logs returns the option of a runtime that configures its logging.
func logs(dir string, p engine.Params) string {
	file, option := logging(p.Text(ParamRelease))
	return option + filepath.Join(dir, file)
}

// kafkaClass starts a broker whose directory is there already.
const kafkaClass = "kafka.Kafka"

// clusterID is 16 bytes in Kafka's encoding. Clusters do not meet, so that all may have the same.
const clusterID = "cGxpbXNvbGwtY2x1c3Rlcg"
