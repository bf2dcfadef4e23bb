// Package cpuinfo names the processor that runs this process, its instruction sets, and the hypervisor or emulator
// below it.
package cpuinfo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Processor is the description of one CPU in /proc/cpuinfo, in either the x86 or the arm64 form.
// procfs reads only the form of the architecture it was built for, and so neither another machine's
// file nor the host's behind qemu-user.
type Processor struct {
	vendor, model            string // x86
	family, number, stepping int    // x86; -1 unknown
	microcode                string // x86
	mhz                      float64
	flags                    []string

	arm                                  bool
	implementer, part, variant, revision uint64
}

// Arch returns the architecture, or "" if the entry does not show it.
func (p Processor) Arch() string {
	switch {
	case p.arm:
		return "arm64"
	case p.vendor != "":
		return "amd64"
	}
	return ""
}

// Parse reads /proc/cpuinfo, one entry per processor.
func Parse(b []byte) ([]Processor, error) {
	var out []Processor
	for line := range bytes.Lines(b) {
		key, value, ok := strings.Cut(string(line), ":")
		if !ok {
			continue
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if key == "processor" {
			out = append(out, Processor{family: -1, number: -1, stepping: -1})
			continue
		}
		if len(out) == 0 {
			continue
		}
		if err := out[len(out)-1].set(key, value); err != nil {
			return nil, fmt.Errorf("%s of processor %d: %w", key, len(out)-1, err)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no processor is listed")
	}
	return out, nil
}

func (p *Processor) set(key, value string) (err error) {
	switch key {
	case "vendor_id":
		p.vendor = value
	case "model name":
		p.model = value
	case "cpu family":
		p.family = numberOr(value, -1)
	case "model":
		p.number = numberOr(value, -1)
	case "stepping": // "unknown" where CPUID has none
		p.stepping = numberOr(value, -1)
	case "microcode":
		p.microcode = value
	case "cpu MHz":
		p.mhz, err = strconv.ParseFloat(value, 64)
	case "flags", "Features":
		p.flags = strings.Fields(value)
	case "CPU implementer":
		p.arm = true
		p.implementer, err = strconv.ParseUint(value, 0, 8)
	case "CPU part":
		p.part, err = strconv.ParseUint(value, 0, 12)
	case "CPU variant":
		p.variant, err = strconv.ParseUint(value, 0, 4)
	case "CPU revision":
		p.revision, err = strconv.ParseUint(value, 0, 4)
	}
	return err
}

func numberOr(text string, otherwise int) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}

// names of a processor: x86 in its own words and by x86Core, arm64 from armCores.
func (p Processor) names() (vendor, model, core string) {
	if !p.arm {
		return p.vendor, p.model, x86Core(p.vendor, p.family, p.number, p.stepping)
	}
	return armName(p.implementer, p.part, p.variant, p.revision)
}

// Summarise describes processors as one CPU. Unlike cores (big.LITTLE) are
// counted by model, and only features that all of them have are kept, because
// a thread may be moved between them.
func Summarise(all []Processor) record.CPU {
	if len(all) == 0 {
		return record.CPU{Features: []string{}}
	}
	models, cores, steppings := make(map[string]int), make(map[string]int), make(map[string]int)
	cpu := record.CPU{Features: notable(all[0].flags), MHz: all[0].mhz, Microcode: all[0].microcode}
	for _, p := range all {
		vendor, model, core := p.names()
		models[model]++
		cores[core]++
		steppings[p.step()]++
		cpu.Vendor = vendor
		cpu.Features = slices.DeleteFunc(cpu.Features, func(f string) bool {
			return !slices.Contains(p.flags, f)
		})
	}
	cpu.Model = record.JoinCounts(models)
	delete(cores, "")
	cpu.Core = record.JoinCounts(cores)
	delete(steppings, "")
	cpu.Stepping = record.JoinCounts(steppings)
	return cpu
}

// step returns the revision of a processor's silicon: "" if it is hidden.
func (p Processor) step() string {
	switch {
	case p.arm:
		return fmt.Sprintf("r%dp%d", p.variant, p.revision)
	case p.stepping >= 0:
		return strconv.Itoa(p.stepping)
	}
	return ""
}
