package manual

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/list"
)

// page returns a command's page in roff.
func page(cmd *cobra.Command, a About) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %s %q Plimsoll\n", text(strings.ToUpper(nameOf(cmd))), a.Date.Format("2006-01-02"),
		"plimsoll "+a.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s\n", filled(nameOf(cmd)+" - "+cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", text(cmd.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", description(cmp.Or(cmd.Long, cmd.Short)))
	b.WriteString(options(cmd))
	fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", text(regexp.MustCompile(`(?m)^  `).ReplaceAllString(cmd.Example, "")))
	if !cmd.HasParent() {
		b.WriteString(a.Ends)
	}
	b.WriteString(related(cmd))
	return b.String()
}

// paragraph is a part of a help's text: a name with its meaning in a list, or a paragraph without name.
type paragraph struct {
	item       bool
	name, text string
	column     int // at which the meanings of a list begin
}

// paragraphs returns the parts of a help's text. Indented lines, of a name and a meaning, are items; other lines up to
// an empty one are a paragraph.
func paragraphs(help string) []paragraph {
	var out []paragraph
	item := regexp.MustCompile(`^  (\S.*?) {2,}(\S.*)$`)
	open := false
	for line := range strings.Lines(strings.TrimSpace(help)) {
		line = strings.TrimRight(line, "\n")
		if m := item.FindStringSubmatch(line); m != nil {
			out, open = append(out, paragraph{true, m[1], m[2], strings.LastIndex(line, m[2])}), false
			continue
		}
		switch line = strings.TrimSpace(line); {
		case line == "":
			open = false
		case open:
			out[len(out)-1].text += " " + line
		default:
			out, open = append(out, paragraph{text: line}), true
		}
	}
	return out
}

// description returns a help's text in roff.
func description(help string) string {
	var b strings.Builder
	for i, p := range paragraphs(help) {
		switch {
		case p.item:
			fmt.Fprintf(&b, ".TP\n%s\n", text(p.name))
		case i > 0:
			b.WriteString(".PP\n")
		}
		b.WriteString(filled(p.text) + "\n")
	}
	return b.String()
}

// options returns the section of a command's flags, with a subsection for each group.
func options(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(".SH OPTIONS\n")
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	all := groups(cmd)
	for _, g := range all {
		if len(all) > 1 {
			fmt.Fprintf(&b, ".SS %s\n", text(g.title))
		}
		for _, f := range g.flags {
			name := `\fB` + text("--"+f.Name) + `\fR`
			if f.Shorthand != "" {
				name = `\fB` + text("-"+f.Shorthand) + `\fR, ` + name
			}
			if kind, _ := pflag.UnquoteUsage(f); kind != "" {
				name += ` \fI` + text(kind) + `\fR`
			}
			_, usage := flagText(f)
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", name, filled(usage))
		}
	}
	return b.String()
}

// related returns the section of the pages of the parent and of the commands below.
func related(cmd *cobra.Command) string {
	near := list.Filter(visible(cmd)[1:], func(c *cobra.Command) bool { return c.Parent() == cmd })
	if cmd.HasParent() {
		near = append([]*cobra.Command{cmd.Parent()}, near...)
	}
	pages := list.Map(near, func(c *cobra.Command) string { return ".BR " + text(nameOf(c)) + " (1)" })
	return ".SH SEE ALSO\n" + strings.Join(pages, ",\n") + "\n"
}

// text returns text of which no character is a command of roff.
func text(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s)
	return regexp.MustCompile(`(?m)^([.'])`).ReplaceAllString(s, `\&$1`)
}

// width is the length of a line of roff, which lint limits to 80, with room for characters that it spells out.
const width = 72

// filled returns text that roff fills, in short lines.
func filled(s string) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text(s)) {
		switch {
		case at > 0 && at+1+len(word) > width:
			b.WriteByte('\n')
			at = 0
			if strings.HasPrefix(word, "'") || strings.HasPrefix(word, ".") {
				word = `\&` + word
			}
		case at > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}
