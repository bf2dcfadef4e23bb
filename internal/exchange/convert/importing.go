package convert

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// Import reads the inputs of one import. Each has its own plan, because nothing shows that any two of them ran side by
// side; replicates of unnumbered results continue from one input to the next.
type Import struct {
	numbers  numbers
	mostPlan int // bytes of a plan's cells; 0: maxPlan
}

// Read reads all of one input. The error for invalid input is a *usage.Error; that of a read that failed is none.
func (im *Import) Read(f Format, r io.Reader, o Options) (*Batch, error) {
	if im.numbers == nil {
		im.numbers = numbers{}
	}
	sum := sha256.New()
	b := newBatch(cmp.Or(im.mostPlan, maxPlan))
	o.loads, o.source = &b.loads, &b.Source.Source
	from := &watched{Reader: r}
	text, err := input.Text(io.TeeReader(from, sum))
	if err == nil {
		err = f.Read(text, o, b.add)
	}
	if from.err != nil && !usage.Is(from.err) {
		return nil, fmt.Errorf("importing: %w", from.err)
	}
	if err != nil {
		return nil, o.located(err)
	}
	if b.Len() == 0 {
		return nil, o.at(0, "no results found")
	}
	b.Source = record.Imported{Format: f.Name, File: cmp.Or(o.Name, filepath.Base(o.File)),
		SHA256: hex.EncodeToString(sum.Sum(nil)), Source: b.Source.Source}
	im.numbers.follow(b)
	return b, nil
}

// Renumber gives the unnumbered results of inputs their replicates anew, as if no other inputs had been read.
func Renumber(batches []*Batch) {
	n := numbers{}
	for _, b := range batches {
		n.follow(b)
	}
}

// watched keeps the error of a reader, which a format may take for invalid input.
type watched struct {
	io.Reader
	err error // nil at the end of the file
}

func (w *watched) Read(to []byte) (int, error) {
	n, err := w.Reader.Read(to)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// located adds the file to an error without one.
func (o Options) located(err error) error {
	if usage.Is(err) {
		return err
	}
	return usage.Errorf("%s: %w", o.File, err)
}

// numbers counts the results of each cell that had no replicate.
type numbers map[string]int32

// follow numbers the unnumbered results of an input behind those of earlier ones.
func (n numbers) follow(b *Batch) {
	for i := range b.cells {
		c := &b.cells[i]
		c.before = n[c.identity]
		n[c.identity] += c.unnumbered
	}
}

// The parameters of the plan of an import, for which nobody planned anything.
const (
	importAlpha  = 0.05
	importMargin = 0.02
	importClaim  = "machine"
)

// Plan returns the plan of the batch's trials. session is random text, which distinguishes two imports of one file.
func (b *Batch) Plan(session string) record.Plan {
	source := b.Source
	p := record.Plan{
		Name: "import of " + source.File, Session: session, Claim: importClaim, Margin: importMargin, Alpha: importAlpha,
		Imported: &source, Replicates: b.replicates(), Cells: make([]record.Cell, len(b.cells)),
	}
	for i, c := range b.cells {
		p.Cells[i] = c.planned()
	}
	return p
}

// replicates returns the number of trials of the cell with most of them.
func (b *Batch) replicates() int {
	counts, most := make([]int, len(b.cells)), 0
	for i := range b.trials.len() {
		at := b.trials.at(i).cell
		counts[at]++
		most = max(most, counts[at])
	}
	return most
}

// Facts returns the input's facts about its machines, such as arch, by names of machine and fact.
func (b *Batch) Facts() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, c := range b.cells {
		for _, fact := range machineFacts() {
			if value := c.keys[fact]; value != "" {
				name := c.keys[record.KeyMachine]
				if out[name] == nil {
					out[name] = map[string]string{}
				}
				out[name][fact] = value
			}
		}
	}
	return out
}

// machineFacts returns the keys of trials that describe their machine.
func machineFacts() []string { return []string{"os", "arch", "cpu"} }

// LoadTaken reports whether results of the input state no load and have the one given, or the same as it.
func (b *Batch) LoadTaken() bool { return b.loads.taken }

// LoadDiffers reports whether results of the input state another load than the one given.
func (b *Batch) LoadDiffers() bool { return b.loads.differs }

// Machines returns the names of the machines, in the order first read.
func (b *Batch) Machines() []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range b.cells {
		if name := c.keys[record.KeyMachine]; !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}
