package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// commands returns a tree whose texts have what roff would take for its own.
func commands() *cobra.Command {
	do := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "prog", Short: "does things", Example: "  prog sub", Run: do}
	sub := &cobra.Command{Use: "sub [FILE]", Short: `takes C:\dir`, Run: do, Example: "  .hidden --flag\n    more",
		Long: `One.

  exact   as it is
  'quote  as it is, too

.Sh is no heading, ` + strings.Repeat("word ", 10) + `'and a long line.`}
	sub.Flags().IntP("number", "n", 7, "a number `N` of things")
	sub.Flags().Bool("quiet", false, "say nothing")
	sub.Flags().Bool("secret", false, "not shown")
	sub.Flags().Lookup("secret").Hidden = true
	root.AddCommand(sub, &cobra.Command{Use: "hidden", Hidden: true, Run: do})
	return root
}

func TestPages(t *testing.T) {
	dir := t.TempDir()
	about := About{Version: "v1", Date: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Ends: ".SH ENDS\n"}
	files, err := Write(commands(), dir, about)
	if err != nil || len(files) != 3 { // with help
		t.Fatalf("%v, %v", files, err)
	}
	if _, err := Write(commands(), filepath.Join(dir, "none"), about); err == nil {
		t.Error("no error for a directory that is not there")
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if root := read("prog.1"); !strings.Contains(root, ".SH ENDS\n") || !strings.Contains(root, ".BR prog\\-sub (1)") ||
		strings.Contains(root, "hidden") {
		t.Error(root)
	}
	sub := read("prog-sub.1")
	for _, want := range []string{
		".TH PROG\\-SUB 1 2026-11-24 \"plimsoll v1\" Plimsoll\n",
		".SH NAME\nprog\\-sub \\- takes C:\\edir\n",
		".TP\nexact\nas it is\n.TP\n\\&'quote\nas it is, too\n.PP\n\\&.Sh is no heading",
		"word\n\\&'and a long line.\n",
		".TP\n\\fB\\-n\\fR, \\fB\\-\\-number\\fR \\fIN\\fR\na number N of things (default 7)\n",
		".TP\n\\fB\\-\\-quiet\\fR\nsay nothing\n",
		".SH EXAMPLES\n.nf\n\\&.hidden \\-\\-flag\n  more\n.fi\n.SH SEE ALSO\n.BR prog (1)\n",
	} {
		if !strings.Contains(sub, want) {
			t.Errorf("no %q in\n%s", want, sub)
		}
	}
	if strings.Contains(sub, "secret") || strings.Contains(sub, "SH ENDS") {
		t.Error(sub)
	}
}
