package invocation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/workload"
)

// Typed is a command line as a newcomer typed it: the words after `run`, or all words if it is missing. Flags are
// run's.
type Typed struct {
	Words []string
	Flags *pflag.FlagSet
}

// hasLetter reports whether a short flag was typed.
func (t Typed) hasLetter(letter string) bool {
	return letter != "" && slices.ContainsFunc(t.Words, func(w string) bool { return strings.HasPrefix(w, "-"+letter) })
}

// leftOut begins the counterpart of a flag that is not needed.
const leftOut = "-"

// as returns the words as arguments and flags of a workload, with each flag of another tool in its form here. It
// reports whether there are any, and returns nil if one lacks a form.
func (t Typed) as(s workload.Spec, specs []workload.Spec) (words []string, translated bool) {
	for rest := t.Words; len(rest) > 0; {
		if rest[0] == "--" {
			return append(words, rest...), translated
		}
		if !strings.HasPrefix(rest[0], "-") || rest[0] == "-" {
			words, rest = append(words, rest[0]), rest[1:]
			continue
		}
		f := flagAt(rest)
		if own := f.own(t.Flags, s); own != nil {
			n := 1
			if own.NoOptDefVal == "" && !f.inline {
				n = 2
			}
			if n > len(rest) {
				return nil, false
			}
			words, rest = append(words, rest[:n]...), rest[n:]
			continue
		}
		as := f.counterpart(s, specs)
		valued := strings.Contains(as, "{value}")
		if as == "" || valued && f.value == "" || !valued && f.inline {
			return nil, false
		}
		words, rest, translated = append(words, f.fill(as)...), rest[1:], true
		if valued && !f.inline {
			rest = rest[1:]
		}
	}
	return words, translated
}

// typedFlag is a flag among the words of a command line.
type typedFlag struct {
	name   string // without hyphens
	value  string // its own, or the next word if that may be one; "": neither
	inline bool   // the value is part of the same word
}

// flagAt returns the flag that the first word is. A letter after one hyphen is a flag, and the rest its value: -c16.
func flagAt(words []string) typedFlag {
	name := strings.TrimLeft(words[0], "-")
	if name, value, ok := strings.Cut(name, "="); ok {
		return typedFlag{name, value, true}
	}
	if !strings.HasPrefix(words[0], "--") && len(name) > 1 {
		return typedFlag{name[:1], name[1:], true}
	}
	if len(words) > 1 && !strings.HasPrefix(words[1], "-") {
		return typedFlag{name, words[1], false}
	}
	return typedFlag{name: name}
}

// own returns the flag of run, or of the workload's parameters; nil if it is neither, or if it rejects a value that
// has another meaning in other tools.
func (f typedFlag) own(flags *pflag.FlagSet, s workload.Spec) *pflag.Flag {
	own := flagOfRun(f.name, flags, s)
	if own == nil {
		return nil
	}
	for _, of := range s.Command.Flags {
		if of.Name == own.Name && of.Check != nil && of.Check(f.value) != nil {
			return nil
		}
	}
	return own
}

// flagOfRun returns a flag by its name or letter, if the workload has it; nil if not.
func flagOfRun(name string, flags *pflag.FlagSet, s workload.Spec) *pflag.Flag {
	f := flags.Lookup(name)
	if len(name) == 1 {
		f = flags.ShorthandLookup(name)
	}
	if f != nil && f.Hidden && ParamOf(s, f.Name) == "" {
		return nil
	}
	return f
}

// counterpart returns the form of a flag for the workload; "" if none is known.
func (f typedFlag) counterpart(s workload.Spec, specs []workload.Spec) string {
	for _, p := range rows([]string{s.Name}, specs) {
		if slices.Contains(p.Flags, f.name) {
			return p.As
		}
	}
	return ""
}

// begins returns the name of the flag with which a counterpart begins; "" if it leaves the flag out.
func begins(as string) string {
	word, _, _ := strings.Cut(as, " ")
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return name
}

// fill returns the words of a counterpart. A time without a unit is in seconds, as other tools have it.
func (f typedFlag) fill(as string) []string {
	words := strings.Fields(as)
	if words[0] == leftOut {
		return nil
	}
	value := f.value
	if _, err := strconv.Atoi(value); err == nil && begins(as) == "for" {
		value += "s"
	}
	return list.Map(words, strings.NewReplacer("{flag}", f.name, "{value}", value).Replace)
}

// line returns the words as a command line, with each flag of another tool in its form here. It returns "" if one lacks
// a form, or if run has all of them.
func (t Typed) line(s workload.Spec, specs []workload.Spec) string {
	if s.Name == "" || t.Flags == nil {
		return ""
	}
	if words, translated := t.as(s, specs); translated {
		return line(words, specs)
	}
	return ""
}

// line returns the command line that measures words, the first of which is a name. A command without quotes gets them.
func line(words []string, specs []workload.Spec) string {
	if s, ok := workload.Find(specs, words[0]); ok && s.Command.Greedy {
		if n := oneCommand(words[1:]); n > 0 {
			words = slices.Concat(words[:1], []string{shellquote.Join(words[1 : n+1]...)}, words[n+1:])
		}
	}
	return "plimsoll run " + shellquote.Join(words...)
}

// oneCommand returns how many of the first words are one command without quotes: a program and its arguments, up to a
// flag. It is 0 if the first is not a program, if there is only one word, or if another word is a program too.
func oneCommand(words []string) int {
	n := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	if n < 0 {
		n = len(words)
	}
	runs := func(word string) bool { return isProgram(word) || executable(word) }
	if n < 2 || strings.Contains(words[0], " ") || !runs(words[0]) ||
		slices.ContainsFunc(words[1:n], func(w string) bool { return runs(w) || strings.Contains(w, " ") }) {
		return 0
	}
	return n
}

// Unquoted returns the error of a command that is not found with the line that quotes it, if its words were taken for
// several commands.
func Unquoted(t Typed, err error, specs []workload.Spec) error {
	if !usage.Is(err) || len(t.Words) == 0 || !strings.Contains(err.Error(), "not found") {
		return err
	}
	s, ok := workload.Find(specs, t.Words[0])
	if !ok || !s.Command.Greedy || oneCommand(t.Words[1:]) == 0 {
		return err
	}
	return usage.With(err, "quote a command together with its arguments: "+line(t.Words, specs))
}

// Apart returns an error if a flag that is true or false has its value in the next word, which would be an argument.
func (t Typed) Apart(specs []workload.Spec) error {
	s, one := workloadOf(t.Words, specs)
	if !one || t.Flags == nil {
		return nil
	}
	truth := map[string]string{"1": "true", "true": "true", "yes": "true", "on": "true", "0": "false", "false": "false",
		"no": "false", "off": "false", "none": "false"}
	for i, word := range t.Words[:max(0, len(t.Words)-1)] {
		if word == "--" {
			return nil
		}
		next := t.Words[i+1]
		value, ok := truth[next]
		name, long := strings.CutPrefix(word, "--")
		if !ok || !long || strings.Contains(name, "=") || s.Command.Greedy && isProgram(next) {
			continue // true and false are commands, too
		}
		if f := flagOfRun(name, t.Flags, s); f != nil && f.NoOptDefVal == "true" {
			words := slices.Concat(t.Words[:i], []string{word + "=" + value}, t.Words[i+2:])
			return usage.Errorf("--%s is true or false, so %q would be an argument\nhint: %s", name, next, line(words, specs))
		}
	}
	return nil
}
