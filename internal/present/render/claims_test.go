package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
)

func claimsText(t *testing.T, style term.Style, table string) string {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	r, err := claims.Check([]claims.File{
		{Name: "claims.csv", Text: []byte("id,source,claim,stated,unit,formula\n" + table)}}, nil, c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Claims(&b, style, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestClaimsFitTheTerminal(t *testing.T) {
	const table = "A,A talk,a fifth more than all that was there before it,25,%,(1-0.8)*100\nB,A talk,tiny,,s,1/3e9\n" +
		"C,Another,huge,,count,2**80\nD,Another,large,,count,123456789\n"
	for _, width := range []int{40, 60, 100} {
		for line := range strings.Lines(claimsText(t, term.Style{Width: width}, table)) {
			if block.DisplayWidth(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d: %q", width, line)
			}
		}
	}
	text := claimsText(t, term.Style{Width: 100}, table)
	for _, want := range []string{`"a fifth more than all that was there before it" is 20.0%:`, "3.333e-10", "1.209e+24",
		"123500000", "not stated"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// What a table holds must not move the cursor.
func TestClaimsArePrintedSafely(t *testing.T) {
	text := claimsText(t, term.Style{Width: 100, Color: true}, "A\x1b[2J,\x1b[2Jtalk,\x1b[2Jwords,25,%\x1b[2J,200\n")
	if strings.Contains(text, "\x1b[2J") || !strings.Contains(text, "\x1b[31m") {
		t.Errorf("%q", text)
	}
}
