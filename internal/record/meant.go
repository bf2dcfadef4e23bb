package record

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// Meant returns the accepted value that a rejected text may have meant; false if there is none. It reads numbers of
// other notations (2k, 100/s, 5%), and times and sizes without a unit or with a misspelt one. A number out of range
// means the bound.
func (p Param) Meant(text string) (string, bool) {
	for _, t := range p.readings(strings.TrimSpace(text)) {
		c, num, err := p.parse(t)
		if err != nil {
			continue
		}
		if p.Min != p.Max && (num < p.Min || num > p.Max) {
			c = p.format(min(max(num, p.Min), p.Max))
		}
		return c, true
	}
	return "", false
}

// readings returns the ways to read a text as a value of the parameter's kind.
func (p Param) readings(text string) []string {
	switch p.Kind {
	case Int, CPUs, Float:
		text, _, _ = strings.Cut(text, "/")
		text = strings.ReplaceAll(strings.TrimRight(text, " "), ",", "")
		out := []string{text}
		for suffix, factor := range map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "%": .01} {
			number, ok := strings.CutSuffix(text, suffix)
			if n, err := strconv.ParseFloat(number, 64); ok && err == nil {
				out = append(out, strconv.FormatFloat(n*factor, 'g', -1, 64), strconv.FormatFloat(n*factor, 'f', -1, 64))
			}
		}
		return out
	case Duration:
		return []string{text, text + "s", strings.TrimSpace(strings.TrimRight(text, "second")) + "s"}
	case Size:
		out := []string{text}
		if strings.HasSuffix(text, "b") { // 1Gb, 64kb
			upper := strings.ToUpper(text)
			out = append(out, strings.Replace(upper, "KB", "kB", 1))
		}
		return out
	}
	return nil
}

// Example returns an accepted value; "" for text, which can be anything.
func (p Param) Example() string {
	number := math.Min(math.Max(8, p.Min), cmp.Or(p.Max, math.Inf(1)))
	switch p.Kind {
	case Enum:
		return p.Choices[0]
	case Bool:
		return "true"
	case Int, CPUs, Float:
		if n, err := strconv.ParseFloat(p.Default, 64); err == nil && n != 0 {
			return p.Default
		}
		return p.format(number)
	case Size, Duration:
		if n := p.Number(p.Default); n != 0 {
			return p.Default
		}
		return p.format(cmp.Or(p.Min, min(1, cmp.Or(p.Max, 1))))
	}
	return ""
}
