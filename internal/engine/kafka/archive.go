package kafka

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

// An archive has the classes that a broker loads until it answers in the form that the Java runtime keeps in memory,
// so that they need not be read from jars, verified and linked at each start (JEP 350). It belongs to one build of
// the runtime and one class path: one that does not match is ignored silently.

// archivePath returns the path of the archive for a runtime's version and the setup in dir.
func archivePath(dir, version string) string {
	build, _, _ := strings.Cut(version, " ") // options from the environment are not part of its build
	sum := sha256.Sum256([]byte(build))
	return filepath.Join(dir, "classes-"+hex.EncodeToString(sum[:4])+".jsa")
}

// quietArchive keeps the runtime from printing why an archive does not match.
const quietArchive = "-Xlog:cds*=off"

// shared returns the arguments by which a broker uses the archive; none if there is none.
func shared(dir string, java engine.Install) []string {
	path := archivePath(dir, java.Version)
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{"-Xshare:auto", "-XX:SharedArchiveFile=" + path, quietArchive}
}

// archiveStep returns the step that makes the archive, after all others.
func (e Engine) archiveStep() engine.Step {
	return engine.Step{Does: "start a broker once, and keep the classes that it loads for quicker starts",
		Do: e.makeArchive}
}

// archiving bounds the time in which a broker ends and writes its classes.
const archiving = 2 * time.Minute

// makeArchive starts a broker that writes an archive at its end. A runtime without that feature makes none, which is
// no error.
func (e Engine) makeArchive(ctx context.Context) error {
	p, err := engine.Resolve(e, record.Params{ParamHeap: "256MiB"})
	if err != nil {
		return err
	}
	in, err := e.Find(ctx, p)
	if err != nil {
		return err
	}
	java, _ := in.Use(jvm.Name)
	dir, err := filepath.EvalSymlinks(in.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	scratch, err := os.MkdirTemp("", "plimsoll-kafka-")
	if err != nil {
		return fmt.Errorf("%s: %w\nhint: TMPDIR sets another directory", name, err)
	}
	defer os.RemoveAll(scratch)
	path := archivePath(dir, java.Version)
	partial := engine.Partial(dir) // outside: all files in the directory are listed
	defer os.Remove(partial)
	if err := recordClasses(ctx, in, engine.Settings{Params: p, Scratch: scratch}, partial); err != nil {
		return fmt.Errorf("%s: the first start of a broker: %w", name, err)
	}
	b, err := build(p.Text(ParamRelease), "")
	if err != nil {
		return err
	}
	if err := b.Add(partial, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// recordClasses has a broker write an archive of the classes that it loaded until it joined its cluster.
func recordClasses(ctx context.Context, in engine.Install, s engine.Settings, to string) (err error) {
	i, err := Engine{}.prepare(in, s)
	if err != nil {
		return err
	}
	if err := i.launchKeeper(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.Stop(context.WithoutCancel(ctx))) }()
	b := i.brokers[0]
	b.server, err = engine.Launch(ctx, b.settings, func(at netip.AddrPort) (engine.Command, error) {
		c, err := command(i.java, i.dir, b.settings, at, b.node, first)
		// A runtime before Java 13 makes none.
		c.Args = append([]string{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:ArchiveClassesAtExit=" + to, quietArchive},
			c.Args...)
		return c, err
	})
	if err != nil {
		return err
	}
	err = i.accepts(ctx)
	// A killed process writes nothing.
	return errors.Join(err, b.server.StopBy(ctx, unix.SIGTERM, archiving))
}
