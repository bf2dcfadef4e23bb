package port

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path"
	"strings"
)

// binaries finds programs and libraries for Linux on x86 without one for arm64 beside them, also in jars, wheels, gems
// and packages of Node.
type binaries struct {
	stems stems
	amd   []string
	arm   map[string]bool // stems of whole paths, and of base names by their archive
}

func newBinaries() *binaries { return &binaries{stems: newStems(), arm: map[string]bool{}} }

func (*binaries) id() string { return "binary" }

func (*binaries) doc() string {
	return "programs and libraries for Linux on x86 without one for arm64"
}

func (*binaries) needs(_ string, head []byte) Need {
	switch {
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)):
		return Head
	case bytes.HasPrefix(head, []byte("!<arch>\n")):
		return Whole
	}
	return Nothing
}

// machineOf returns the processor of an ELF file, or of the first in an archive of ar.
func machineOf(data []byte) (elf.Machine, bool) {
	if bytes.HasPrefix(data, []byte("!<arch>\n")) {
		data = data[max(bytes.Index(data, []byte(elf.ELFMAG)), 0):]
	}
	var h elf.Header64 // machine stands at the same place in that of 32 bits
	var order binary.ByteOrder = binary.LittleEndian
	if len(data) > elf.EI_DATA && data[elf.EI_DATA] == byte(elf.ELFDATA2MSB) {
		order = binary.BigEndian
	}
	padded := make([]byte, binary.Size(h))
	copy(padded, data)
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) || binary.Read(bytes.NewReader(padded), order, &h) != nil {
		return 0, false
	}
	return elf.Machine(h.Machine), true
}

func (b *binaries) look(f File, _ *Report) {
	switch machine, _ := machineOf(f.Data); machine {
	case elf.EM_X86_64, elf.EM_386:
		b.amd = append(b.amd, f.Path)
	case elf.EM_AARCH64:
		b.arm[b.stems.of(f.Path)] = true
		b.arm[b.inArchive(f.Path)] = true
	}
}

// inArchive names a file by its archive and its base name alone.
func (b *binaries) inArchive(file string) string {
	if of := container(file); of != "" {
		return of + "\x00" + b.stems.of(path.Base(file))
	}
	return path.Dir(path.Dir(file)) + "\x00" + b.stems.of(path.Base(file))
}

func (b *binaries) settle(r *Report) {
	var found []Finding
	for _, file := range b.amd {
		if b.arm[b.stems.of(file)] || b.arm[b.inArchive(file)] {
			r.alternative(b.id(), file, "there is one for arm64 too")
			continue
		}
		f := Finding{Check: b.id(), Severity: WillNotRun, File: file,
			Says: fmt.Sprintf("%s for x86, and none for arm64 is with it", kindOf(file)), Remedy: remedyOf(file)}
		if isTest(file) {
			f.Severity = WorthChecking
			f.Says += "; by its path for tests alone"
		}
		found = append(found, f)
	}
	for _, f := range few(found) {
		r.add(f)
	}
}

// severalBinaries is the number of an archive's binaries from which one finding stands for all of them, as for the
// layers of an image.
const severalBinaries = 20

// few makes one finding of those in an archive that has many.
func few(found []Finding) []Finding {
	count, gravest := map[string]int{}, map[string]Severity{}
	for _, f := range found {
		of := container(f.File)
		if count[of]++; gravest[of] != WillNotRun {
			gravest[of] = f.Severity
		}
	}
	var out []Finding
	for _, f := range found {
		of := container(f.File)
		n := count[of]
		switch {
		case of == "" || n > 0 && n < severalBinaries:
			out = append(out, f)
		case n > 0:
			f.Says = fmt.Sprintf("%d programs and libraries for x86, such as %s, and none for arm64 is with them", n,
				strings.TrimPrefix(f.File, of+"!"))
			f.File, f.Severity, count[of] = of, gravest[of], -1
			out = append(out, f)
		}
	}
	return out
}

func kindOf(file string) string {
	switch ext := path.Ext(file); {
	case ext == ".node":
		return "a module of Node"
	case ext == ".so" || strings.Contains(path.Base(file), ".so."):
		return "a library"
	case ext == ".a" || ext == ".o" || ext == ".syso" || ext == ".lo":
		return "an object"
	}
	return "a program"
}

// remedyOf says how to get another binary, by the archive that holds it.
func remedyOf(file string) string {
	switch of := container(file); strings.ToLower(path.Ext(of)) {
	case ".jar", ".war", ".ear", ".aar":
		return "a newer version of the jar, or its classifier for arm64 (such as linux-aarch_64)"
	case ".whl":
		return "the wheel for manylinux aarch64, a newer version of the package, or its source"
	case ".gem":
		return "the gem for aarch64-linux, or the one without a platform, which compiles"
	case ".tgz":
		return "a version with a prebuilt for linux-arm64, or npm rebuild --build-from-source"
	}
	if path.Ext(file) == ".node" {
		return "npm install on arm64, a version with a prebuilt for linux-arm64, or npm rebuild --build-from-source"
	}
	return "build it for arm64, or take its supplier's build for arm64"
}
