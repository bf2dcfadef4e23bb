package convert

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"

	"plimsoll/internal/record"
	"plimsoll/internal/usage"
)

// Import reads the inputs of one import. Each is a plan of its own, since
// nothing says that two of them ran side by side; the numbers of unnumbered replicates go
// on from one to the next.
type Import struct{ numbers numbers }

// Read reads all of one input. The error for what cannot be taken is a *usage.Error.
func (im *Import) Read(f Format, r io.Reader, o Options) (*Batch, error) {
	if im.numbers == nil {
		im.numbers = numbers{}
	}
	sum := sha256.New()
	b := newBatch(im.numbers)
	if err := f.Read(io.TeeReader(r, sum), o, b.add); err != nil {
		return nil, o.located(err)
	}
	if b.Len() == 0 {
		return nil, o.at(0, "it holds no result")
	}
	b.Source = record.Imported{Format: f.Name, File: filepath.Base(o.File), SHA256: hex.EncodeToString(sum.Sum(nil))}
	return b, nil
}

// located names the file in an error that does not.
func (o Options) located(err error) error {
	if usage.Is(err) {
		return err
	}
	return usage.Errorf("%s: %w", o.File, err)
}

// numbers counts the results of each cell that came without a replicate.
type numbers map[string]int32

func (n numbers) next(identity string) int32 {
	n[identity]++
	return n[identity]
}

// The plan of an import says what holds where nobody planned anything.
const (
	importAlpha  = 0.05
	importMargin = 0.02
	importClaim  = "machine"
)

// Plan is the plan that the batch's trials bear. session is random text, which
// keeps two imports of one file apart.
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

// replicates is how many trials the cell has that has most of them.
func (b *Batch) replicates() int {
	counts, most := make([]int, len(b.cells)), 0
	for i := range b.trials.len() {
		at := b.trials.at(i).cell
		counts[at]++
		most = max(most, counts[at])
	}
	return most
}

// Facts are what the input says of its machines, such as arch, by name of the machine and of the fact.
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

// machineFacts are the keys of trials that say what their machine is.
func machineFacts() []string { return []string{"os", "arch", "cpu"} }

// Machines are the names of the machines, in the order in which they were read first.
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
