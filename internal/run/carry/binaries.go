package carry

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
)

const (
	sumDigits = 2 * sha256.Size
	ofRelease = "--binaries DIR names the directory of a release, or of what `make release` made"
)

// Binaries finds the program for each architecture: this one, and those beside it or in a directory, as releases name
// them.
type Binaries struct {
	Self string // this program
	Dir  string // the directory of the others; "": that of this program

	read *sync.Map // programs read so far, by architecture
}

// Of returns the binaries of a program.
func Of(self, dir string) Binaries { return Binaries{Self: self, Dir: dir, read: &sync.Map{}} }

// maxProgram bounds a program that is carried, in bytes; ours have 40 MB.
const maxProgram = 1 << 30

type program struct {
	data []byte
	sum  string
}

// program returns the program for an architecture.
func (b Binaries) program(arch string) (program, error) {
	if p, ok := b.read.Load(arch); ok {
		return p.(program), nil
	}
	at, err := b.find(arch)
	if err != nil {
		return program{}, err
	}
	data, err := input.ReadFile(at, maxProgram)
	if err != nil {
		return program{}, err
	}
	sum := sha256.Sum256(data)
	p := program{data, hex.EncodeToString(sum[:])}
	b.read.Store(arch, p)
	return p, nil
}

func (b Binaries) find(arch string) (string, error) {
	if arch == runtime.GOARCH && b.Dir == "" {
		return b.Self, nil
	}
	dir := b.Dir
	if dir == "" {
		dir = filepath.Dir(b.Self)
	}
	name := "plimsoll-linux-" + arch
	at := filepath.Join(dir, name)
	err := isFor(at, arch)
	switch {
	case errors.Is(err, fs.ErrNotExist) && arch == runtime.GOARCH:
		return b.Self, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", usage.With(fmt.Errorf("there is no program for %s: %s has no %s", arch, dir, name), ofRelease)
	}
	return at, err
}

// isFor returns an error if a file is no program for an architecture.
func isFor(at, arch string) error {
	f, err := elf.Open(at)
	if errors.As(err, new(*fs.PathError)) {
		return fmt.Errorf("reading the program for %s: %w", arch, err)
	}
	if err != nil {
		return usage.With(fmt.Errorf("%s is no whole program: %w", at, err), ofRelease)
	}
	defer f.Close()
	if want := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[arch]; f.Machine != want {
		return usage.With(fmt.Errorf("%s is a program for %v, not for %s", at, f.Machine, arch), ofRelease)
	}
	return nil
}
