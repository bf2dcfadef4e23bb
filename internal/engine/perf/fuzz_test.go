package perf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// FuzzGoSymbols looks functions up in anything as a program, and in any table in a program: a name is one of the file.
func FuzzGoSymbols(f *testing.F) {
	// The head of a table of Go 1.20, for no functions: magic, quantum, size of pointers, and the offsets of its parts.
	table := append([]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}, make([]byte, 8*8)...)
	f.Add(table, false, uint64(0x400000))
	f.Add(program(table), true, uint64(0x400010))
	if own, err := elf.Open("/proc/self/exe"); err == nil {
		defer own.Close()
		if s := own.Section(".gopclntab"); s != nil {
			head := make([]byte, min(s.Size, 4096))
			_, _ = s.ReadAt(head, 0)
			f.Add(head, false, own.Entry)
		}
	}
	path := filepath.Join(f.TempDir(), "program")
	f.Fuzz(func(t *testing.T, text []byte, whole bool, address uint64) {
		if !whole {
			text = program(text)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if name := newGoSymbols().name(path, address); !bytes.Contains(text, []byte(name)) {
			t.Fatalf("%q is no name of it", name)
		}
	})
}

// program returns a program of ELF with a table of Go's functions and some code.
func program(table []byte) []byte {
	const names = "\x00.text\x00.gopclntab\x00.shstrtab\x00"
	const head, sections = 64, 4
	code := make([]byte, 64)
	at := uint64(head)
	body := append(append(append([]byte{}, code...), table...), names...)
	section := func(name uint32, kind elf.SectionType, address, offset, size uint64) elf.Section64 {
		return elf.Section64{Name: name, Type: uint32(kind), Addr: address, Off: offset, Size: size, Addralign: 1}
	}
	size := uint64(len(table))
	all := []elf.Section64{
		{},
		section(1, elf.SHT_PROGBITS, 0x400000, at, uint64(len(code))),
		section(7, elf.SHT_PROGBITS, 0x500000, at+uint64(len(code)), size),
		section(18, elf.SHT_STRTAB, 0, at+uint64(len(code))+size, uint64(len(names))),
	}
	h := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64),
		Version: uint32(elf.EV_CURRENT), Shoff: head +
			uint64(len(body)), Ehsize: head, Phentsize: 56, Shentsize: 64, Shnum: sections, Shstrndx: sections - 1,
	}
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, h) // a buffer takes all
	out.Write(body)
	_ = binary.Write(&out, binary.LittleEndian, all)
	return out.Bytes()
}
