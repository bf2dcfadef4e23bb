package manual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/present/media/term"
)

// Columns of a help screen: its width, and where the meaning of a flag or command begins.
const (
	columns = 80
	meaning = 26
)

// GroupsKey is the annotation of a command with the groups of its flags, a line for each: "TITLE: FLAG FLAG …".
const GroupsKey = "groups"

// group is a title with its flags.
type group struct {
	title string
	flags []*pflag.Flag
}

// Help returns the help of a command at 80 columns. Lines of examples are not wrapped.
func Help(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var b strings.Builder
	for i, p := range paragraphs(cmp.Or(cmd.Long, sentence(cmd.Short))) {
		if i > 0 && !(p.item && i > 1) {
			b.WriteByte('\n')
		}
		if p.item {
			entry(&b, "  "+p.name, p.text, p.column)
			continue
		}
		b.WriteString(strings.Join(term.Wrap(p.text, columns), "\n") + "\n")
	}
	b.WriteString("\nUsage:\n")
	if cmd.Runnable() {
		entry(&b, "  "+cmd.UseLine(), "", columns)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nAvailable Commands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				entry(&b, "  "+c.Name(), c.Short, cmp.Or(c.NamePadding(), len(c.Name()))+3)
			}
		}
	}
	for _, g := range groups(cmd) {
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		for _, f := range g.flags {
			name, usage := flagText(f)
			entry(&b, name, usage, meaning)
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

// entry writes a name and its meaning, which begins at a column; on the next line if the name is longer.
func entry(b *strings.Builder, name, text string, column int) {
	lines := term.Wrap(text, columns-column)
	if text == "" {
		b.WriteString(name + "\n")
		return
	}
	if len(name)+2 > column {
		b.WriteString(name + "\n")
		name = ""
	}
	for _, line := range lines {
		fmt.Fprintf(b, "%-*s%s\n", column, name, line)
		name = ""
	}
}

// flagText returns a flag as it is typed, and its meaning with its default.
func flagText(f *pflag.Flag) (name, usage string) {
	name = "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	kind, _ := pflag.UnquoteUsage(f)
	plain := *f // without a name that only follows the text: it is in front already
	if before, after, ok := strings.Cut(f.Usage, "; `"+kind+"`"); ok {
		plain.Usage = before + strings.Replace(after, ", ", "; ", 1)
	}
	_, usage = pflag.UnquoteUsage(&plain)
	if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
		kind = "[=" + kind + "]"
	} else if kind != "" {
		kind = " " + kind
	}
	if d := f.DefValue; !slices.Contains([]string{"", "0", "false", "[]"}, d) {
		usage += " (default " + strings.Trim(d, "[]") + ")"
	}
	return name + kind, usage
}

// FlagLine returns a flag and its meaning in one line.
func FlagLine(f *pflag.Flag) string {
	name, usage := flagText(f)
	return strings.TrimSpace(name) + ": " + usage
}

// groups returns the visible flags of a command by the groups of its annotation; those in none follow.
func groups(cmd *cobra.Command) []group {
	flags, taken := cmd.LocalFlags(), map[string]bool{}
	var out []group
	for line := range strings.Lines(cmd.Annotations[GroupsKey]) {
		title, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		g := group{title: title}
		for _, name := range strings.Fields(names) {
			if f := flags.Lookup(name); f != nil && !f.Hidden {
				g.flags, taken[name] = append(g.flags, f), true
			}
		}
		out = append(out, g)
	}
	rest := group{title: "Flags"}
	if len(out) > 0 {
		rest.title = "Other"
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !taken[f.Name] {
			rest.flags = append(rest.flags, f)
		}
	})
	out = append(out, rest)
	return slices.DeleteFunc(out, func(g group) bool { return len(g.flags) == 0 })
}

// sentence returns a short description as a sentence.
func sentence(short string) string {
	if short == "" {
		return ""
	}
	return strings.ToUpper(short[:1]) + short[1:] + "."
}
