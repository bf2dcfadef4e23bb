package perf

import (
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
)

// goSymbols resolves functions of Go programs linked without a symbol table, by the table with which Go itself walks
// stacks, which is always present.
type goSymbols struct {
	programs map[string]goProgram // by file
}

// goProgram is the table of one program; its fields are nil for other files.
type goProgram struct {
	table *gosym.Table
	code  []elf.ProgHeader // executable segments of the file
}

func newGoSymbols() *goSymbols { return &goSymbols{map[string]goProgram{}} }

func (g *goSymbols) name(file string, address uint64) string {
	p, ok := g.programs[file]
	if !ok {
		p = goProgramIn(file)
		g.programs[file] = p
	}
	if p.table == nil {
		return ""
	}
	if f := p.table.PCToFunc(p.virtual(address)); f != nil {
		return f.Name
	}
	return ""
}

// virtual returns the address at which a program is linked. perf 6.1 prints offsets in the file, older versions
// addresses in memory, which are the same for programs that are not relocated.
func (p goProgram) virtual(address uint64) uint64 {
	for _, h := range p.code {
		if address >= h.Off && address < h.Off+h.Filesz {
			return address - h.Off + h.Vaddr
		}
	}
	return address
}

// holdsItsFunctions reports whether a table has room for as many functions as its header says: gosym makes room for
// them all before it looks at one.
func holdsItsFunctions(table []byte) bool {
	const header, leastFunction = 16, 8 // bytes
	if len(table) < header {
		return false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if table[0] == 0xff { // the magic number begins with it
		order = binary.BigEndian
	}
	n := order.Uint64(table[8:])
	if wordBytes := table[7]; wordBytes == 4 {
		n = uint64(order.Uint32(table[8:]))
	}
	return n <= uint64(len(table)/leastFunction)
}

// mostTable bounds the bytes of a table, which may be packed in the file: those of programs of 300 MB have a third of
// it.
const mostTable = 256 << 20

func goProgramIn(file string) goProgram {
	f, err := elf.Open(file)
	if err != nil {
		return goProgram{}
	}
	defer f.Close()
	lines, text := f.Section(".gopclntab"), f.Section(".text")
	if lines == nil || text == nil || lines.Size > mostTable {
		return goProgram{}
	}
	data, err := lines.Data()
	if err != nil || !holdsItsFunctions(data) {
		return goProgram{}
	}
	t, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		return goProgram{}
	}
	p := goProgram{table: t}
	for _, h := range f.Progs {
		if h.Type == elf.PT_LOAD && h.Flags&elf.PF_X != 0 {
			p.code = append(p.code, h.ProgHeader)
		}
	}
	return p
}
