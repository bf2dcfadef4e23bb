package finding

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/list"
)

// TestAnswerLines: an answer has at most three lines, results before cost and objections, and counts those it leaves
// out.
func TestAnswerLines(t *testing.T) {
	results := func(n int) []block.Sentence {
		return slices.Repeat([]block.Sentence{{Lead: "better", Text: "result"}}, n)
	}
	for _, c := range []struct {
		results        int
		costs, against []string
		want           []string
	}{
		{results: 0, costs: []string{"$1"}, against: []string{"noisy"}},
		{results: 1, want: []string{"result"}},
		{results: 3, want: []string{"result", "result", "result"}},
		{results: 5, want: []string{"result", "result", "result; 2 more below"}},
		{results: 2, costs: []string{"$1", "$2"}, want: []string{"result", "result", "$1"}},
		{results: 3, costs: []string{"$1"}, against: []string{"noisy", "noisy", "drift"},
			want: []string{"result; 2 more below", "$1", "noisy; 1 more below"}},
	} {
		a := Answer{Results: results(c.results)}
		for _, text := range c.costs {
			a.Cost(text)
		}
		for _, text := range c.against {
			a.Object(text)
		}
		got := list.Map(a.Lines(), func(s block.Sentence) string { return s.Text })
		if !slices.Equal(got, c.want) {
			t.Errorf("%d results, %q, %q: %q, want %q", c.results, c.costs, c.against, got, c.want)
		}
		if (len(a.Opening()) == 0) != (c.results == 0) {
			t.Errorf("%d results open a document with %d sections", c.results, len(a.Opening()))
		}
	}
}

// TestObjectionsAreShort: a long note is cut, and cannot break the line.
func TestObjectionsAreShort(t *testing.T) {
	var a Answer
	a.Object("a\n" + strings.Repeat("long ", 40))
	if text := a.Against[0].Text; block.DisplayWidth(text) > mostObjection || strings.Contains(text, "\n") {
		t.Errorf("%q", text)
	}
}

// TestSureText: the percentage is the larger side of the interval, and a wide or missing interval has none.
func TestSureText(t *testing.T) {
	u := figure.Scale{Factor: 1, Unit: "GB/s"}
	for _, c := range []struct {
		span figure.Span
		want string
	}{
		{figure.Span{Value: 6}, "6.00 GB/s (n 5, no interval)"},
		{figure.Span{Value: 6, Lo: new(5.4), Hi: new(6.3)}, "6.00 GB/s ±10.0 % (95 %, n 5)"},
		{figure.Span{Value: 6, Lo: new(5.7), Hi: new(6.6)}, "6.00 GB/s ±10.0 % (95 %, n 5)"},
		{figure.Span{Value: 6, Lo: new(3.0), Hi: new(6.1)}, "3.00 to 6.10 GB/s (95 %, n 5)"},
		{figure.Span{Value: 6, Lo: new(-1.0), Hi: new(7.0)}, "-1.00 to 7.00 GB/s (95 %, n 5)"},
	} {
		if got := SureText(c.span, u, 5); got != c.want {
			t.Errorf("%+v: %q, want %q", c.span, got, c.want)
		}
	}
}

// TestEachWorkloadHasALine: of several workloads each keeps a line, and those that are left out are counted.
func TestEachWorkloadHasALine(t *testing.T) {
	results := func(lead string, n int) Answer {
		return Answer{Results: slices.Repeat([]block.Sentence{{Lead: lead, Text: "result"}}, n)}
	}
	for _, c := range []struct {
		workloads []int
		want      []string
	}{
		{[]int{2, 1}, []string{"a result", "a result", "b result"}},
		{[]int{3, 1}, []string{"a result; 2 more below", "b result"}},
		{[]int{1, 1, 1, 2}, []string{"a result", "b result", "c result", "d result; 1 more below"}},
	} {
		var a Answer
		for i, n := range c.workloads {
			a.AddWorkload(results(string(rune('a'+i)), n))
		}
		if got := list.Map(a.Lines(), func(s block.Sentence) string { return s.Lead + " " + s.Text }); !slices.Equal(got,
			c.want) {
			t.Errorf("%v: %q, want %q", c.workloads, got, c.want)
		}
	}
}

// TestObjectionsEndWhole: an objection is shortened to clauses, or to words if its first clause is too long.
func TestObjectionsEndWhole(t *testing.T) {
	for text, want := range map[string]string{
		"runs vary by 26 %": "runs vary by 26 %",
		"unpaired: run numbers of an import are an order, a column pair says which ran side by side": "unpaired: run " +
			"numbers of an import are an order",
		"requests were sent up to 2.63 ms late (p99), over 5 % of the base latency of 1.6 ms at $1,234 " +
			"of the month": "requests were sent up to 2.63 ms late (p99)",
		"server and generator are not known to have had cores of their own on this side " +
			"of the machine": "server and generator are not known to have had cores of their own on ...",
		strings.Repeat("x", 80): strings.Repeat("x", 69) + " ...",
	} {
		var a Answer
		a.Object(text)
		if got := a.Against[0].Text; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
