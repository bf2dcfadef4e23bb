package finding

import (
	"strings"

	"plimsoll/internal/record"
)

// TraitsOf returns the code paths, regimes and CPUs of cells.
func TraitsOf(cells []Cell) []Trait {
	path, regime, cpus := Trait{Name: "code path"}, Trait{Name: "working set"}, Trait{Name: "server CPUs"}
	for _, c := range cells {
		path.Texts, regime.Texts, cpus.Texts = append(path.Texts, c.Path), append(regime.Texts, setText(c.Regime)),
			append(cpus.Texts, cpusText(c.CPUSets))
	}
	return []Trait{path, regime, cpus}
}

// cpusText states the CPUs of the server and of the generator.
func cpusText(s *record.CPUSets) string {
	if s == nil {
		return ""
	}
	return s.Work + "; generator " + s.Generator
}

// setText names the regime of a working set.
func setText(regime string) string {
	switch regime {
	case record.RegimeCache:
		return "in cache"
	case record.RegimeBetween:
		return "between"
	case record.RegimeDRAM:
		return "in DRAM"
	}
	return regime
}

// Trait is a code path, the regime of a working set, or the CPUs: stated once if all rows of a table agree, else in a
// column.
type Trait struct {
	Name  string
	Texts []string // of each row; "" if unknown
}

// FixedTraits returns the traits that do not vary, for a heading.
func FixedTraits(kinds []Trait) string {
	var out []string
	for _, k := range kinds {
		if len(k.Texts) > 0 && k.Texts[0] != "" && !k.varies() {
			out = append(out, k.Name+" "+k.Texts[0])
		}
	}
	return strings.Join(out, ", ")
}

// VaryingTraits returns those that need a column.
func VaryingTraits(kinds []Trait) []Trait {
	var out []Trait
	for _, k := range kinds {
		if k.varies() {
			out = append(out, k)
		}
	}
	return out
}

// sides joins the texts of two sides; one text if they agree.
func sides(a, b string) string {
	switch {
	case a == b:
		return a
	case a == "":
		return "? / " + b
	case b == "":
		return a + " / ?"
	}
	return a + " / " + b
}

// ComparedTraits returns the code paths, regimes and CPUs of both sides.
func ComparedTraits(cs []Comparison) []Trait {
	path, regime, cpus := Trait{Name: "code path"}, Trait{Name: "working set"}, Trait{Name: "server CPUs"}
	for _, c := range cs {
		path.Texts = append(path.Texts, sides(c.PathA, c.PathB))
		cpus.Texts = append(cpus.Texts, sides(cpusText(c.CPUSetsA), cpusText(c.CPUSetsB)))
		regime.Texts = append(regime.Texts, sides(setText(c.RegimeA), setText(c.RegimeB)))
	}
	return []Trait{path, regime, cpus}
}
