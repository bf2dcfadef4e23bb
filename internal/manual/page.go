package manual

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/list"
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

// description returns a help's text as paragraphs; its indented lines, of a name and a meaning, are a list.
func description(help string) string {
	var b strings.Builder
	item := regexp.MustCompile(`^  (\S.*?) {2,}(\S.*)$`)
	for i, paragraph := range strings.Split(strings.TrimSpace(help), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		for _, line := range strings.Split(paragraph, "\n") {
			if m := item.FindStringSubmatch(line); m != nil {
				fmt.Fprintf(&b, ".TP\n%s\n%s\n", text(m[1]), filled(m[2]))
				continue
			}
			b.WriteString(filled(strings.TrimSpace(line)) + "\n")
		}
	}
	return strings.ReplaceAll(b.String(), ".PP\n.TP\n", ".TP\n")
}

// options returns the section of a command's flags.
func options(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := `\fB` + text("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + text("-"+f.Shorthand) + `\fR, ` + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += ` \fI` + text(kind) + `\fR`
		}
		if d := f.DefValue; !slices.Contains([]string{"", "0", "false", "[]"}, d) {
			usage += " (default " + d + ")"
		}
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", name, filled(usage))
	})
	return ".SH OPTIONS\n" + b.String()
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
