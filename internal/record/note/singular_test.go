package note

import "testing"

// TestSingular: a number of 1 has its noun and its verb in the singular, and a text that says so is recognised.
func TestSingular(t *testing.T) {
	for want, n := range map[string]Note{
		"the shortest run has 1 window of 1 s, but 30 are needed":  New("few-windows", 1, 1., 30),
		"the shortest run has 2 windows of 1 s, but 30 are needed": New("few-windows", 2, 1., 30),
		"1 process that the command left behind was ended":         New("processes-left", 1),
		"run 1 is an outlier: it differs from the others by +7%":   New("outlier", 1, 7.),
		"timelines of 1 more load are not drawn together":          New("timelines-not-together", 1),
		"1 run number is missing from the file":                    New("replicates-missing", 1),
		"1 of 3 clients got no answer":                             New("clients-starved", 1, 3),
		"1 of 1 client got no answer":                              New("clients-starved", 1, 1),
	} {
		if got := n.Text(); got != want {
			t.Errorf("%s: %q, want %q", n.Code, got, want)
		}
	}
	for text, want := range map[string]string{
		"1 of 1 client got no answer":  "1 of 1 client got no answer",
		"1 of 1 clients got no answer": "1 of 1 client got no answer",
		"5 of 5 clients got no answer": "5 of 5 clients got no answer",
	} {
		if n := FromRecord(text); n.Code != "clients-starved" || n.Text() != want {
			t.Errorf("%s: %s, %q", text, n.Code, n.Text())
		}
	}
}
