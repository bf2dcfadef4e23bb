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

// An archive has the classes that a broker loads until it answers as the Java runtime holds them in memory, so that they need
// not be read from jars, checked and linked at each start (JEP 350). It is of one build of the runtime and of one class path:
// one that does not fit is passed over, without a word.

// archivePath is where a runtime of that version finds the archive of what is set up in dir.
func archivePath(dir, version string) string {
	build, _, _ := strings.Cut(version, " ") // what the environment tells a runtime is no part of its build
	sum := sha256.Sum256([]byte(build))
	return filepath.Join(dir, "classes-"+hex.EncodeToString(sum[:4])+".jsa")
}

// quietArchive keeps the runtime from printing why an archive does not fit.
const quietArchive = "-Xlog:cds*=off"

// shared are the arguments by which a broker uses the archive; none where there is none.
func shared(dir string, java engine.Install) []string {
	path := archivePath(dir, java.Version)
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{"-Xshare:auto", "-XX:SharedArchiveFile=" + path, quietArchive}
}

// archiveStep makes the archive, once all is in its place.
func archiveStep() engine.Step {
	return engine.Step{Does: "start a broker once, and keep the classes that it loads for quicker starts", Do: makeArchive}
}

// archiving is how long a broker may take to end and to write its classes.
const archiving = 2 * time.Minute

// makeArchive starts a broker that writes an archive at its end. A runtime that cannot leaves none, and that is no error.
func makeArchive(ctx context.Context) error {
	p, err := engine.Resolve(Engine{}, record.Params{ParamHeap: "256MiB"})
	if err != nil {
		return err
	}
	in, err := Engine{}.Find(ctx, p)
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
		return fmt.Errorf("%s: %w\nhint: TMPDIR names another directory", name, err)
	}
	defer os.RemoveAll(scratch)
	path := archivePath(dir, java.Version)
	partial := engine.Partial(dir) // beside: all that is in the directory is listed
	defer os.Remove(partial)
	if err := recordClasses(ctx, java, dir, engine.Settings{Params: p, Scratch: scratch}, partial); err != nil {
		return fmt.Errorf("%s: the first start of a broker: %w", name, err)
	}
	if err := release("").Add(partial, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// recordClasses has a broker write an archive of what it has loaded until it takes part in its cluster.
func recordClasses(ctx context.Context, java engine.Install, dir string, s engine.Settings, to string) error {
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c, err := command(java, dir, s, at)
		c.Args = append([]string{"-XX:ArchiveClassesAtExit=" + to, quietArchive}, c.Args...)
		return c, err
	})
	if err != nil {
		return err
	}
	err = (&Instance{Server: v}).accepts(ctx)
	// What is killed writes nothing.
	return errors.Join(err, v.StopBy(ctx, unix.SIGTERM, archiving))
}
