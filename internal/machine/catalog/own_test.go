package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestOwnPrices(t *testing.T) {
	c := embedded(t)
	text := "\ufeffusd_per_hour,name,source\n0.29,C5.XLARGE,\"our contract, 2026\"\n0.5,is4gen.xlarge,\n"
	own, err := c.ParseOwn("mine.csv", []byte(text), "2026-11-21", "mine.csv")
	want := []Own{{"c5.xlarge", .29, "2026-11-21", "our contract, 2026"}, {"is4gen.xlarge", .5, "2026-11-21", "mine.csv"}}
	if err != nil || !slices.Equal(own, want) {
		t.Fatalf("%+v, %v, want %+v", own, err, want)
	}
	again, err := c.ParseOwn("overlay", FormatOwn(own), "", "")
	if err != nil || !slices.Equal(again, own) {
		t.Errorf("written and read again: %+v, %v", again, err)
	}
	with := c.With(own, "2026-12-01")
	if p, _ := typ(t, with, "c5.xlarge").Price(""); p.PerHour != .29 || !p.Own {
		t.Errorf("the user's price does not come first: %+v", p)
	}
	if p, _ := typ(t, with, "c5.xlarge").Price("2021-10"); p.PerHour != .17 {
		t.Errorf("the user's price hides that of another date: %+v", p)
	}
	if p, _ := typ(t, c, "c5.xlarge").Price(""); p.Own {
		t.Error("With changed the catalogue that it was asked of")
	}
}

// TestFuturePrice applies from its date on: until then the one before it does.
func TestFuturePrice(t *testing.T) {
	c := embedded(t)
	own := []Own{{"c5.xlarge", .1, "2099-10", "later"}, {"c5.xlarge", .2, "2026-11-21", "now"}}
	for _, q := range []struct {
		today, date string
		want        float64
	}{
		{"2026-11-30", "", .2}, {"2026-11-21", "", .2}, {"2026-11-20", "", .17}, {"2026-11-30", "2099", .1},
		{"2099-10-01", "", .1},
	} {
		if p, ok := typ(t, c.With(own, q.today), "c5.xlarge").Price(q.date); !ok || p.PerHour != q.want {
			t.Errorf("on %s, of %q: %+v, want %v", q.today, q.date, p, q.want)
		}
	}
}

// TestOwnPricesRefused: every bad line is named and nothing is taken.
func TestOwnPricesRefused(t *testing.T) {
	c := embedded(t)
	for _, q := range []struct {
		name, text string
		want       []string
	}{
		{"many", "name,usd_per_hour,date\nc5.xlrage,0.1,\nc5.xlarge,0,\nc5.large,0.1,\nc5.large,0.2,\nc5.2xlarge,1,July\n" +
			"c5.4xlarge\nc5.9xlarge,x,\n", []string{
			`line 2: unknown instance type "c5.xlrage" (the nearest are c5.xlarge`, `line 3: price "0"`,
			"line 5: c5.large has a price for", `line 6: date "July"`, "line 7: has 1 cells", `line 8: price "x"`,
		}},
		{"quotes", "name,usd_per_hour\nc5.large,0.1\n\"c5.xlarge,0.2\n", []string{"line 3:"}},
		{"header", "type;price\nc5.large;0.1\n", []string{`no column "name"`, `no column "usd_per_hour"`}},
		{"currency", "name,usd_per_hour,currency\nc5.large,1,EUR\n", []string{`line 1: unknown column "currency"`}},
		{"twice", "name,usd_per_hour,usd_per_hour\nc5.large,1,2\n", []string{`the column "usd_per_hour" twice`}},
		{"empty", "", []string{"no header line with name, usd_per_hour"}},
		{"infinite", "name,usd_per_hour\nc5.large,Inf\nc5.xlarge,NaN\nc5.2xlarge,-1\nc5.4xlarge,1e-300\n",
			[]string{"line 2:", "line 3:", "line 4:", "line 5:"}},
	} {
		_, err := c.ParseOwn("mine.csv", []byte(q.text), "2026-11-21", "mine.csv")
		for _, want := range q.want {
			if err == nil || !strings.Contains(err.Error(), "mine.csv: ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", q.name, err, want)
			}
		}
	}
}

func TestMergeLosesNothing(t *testing.T) {
	old := []Own{{"c5.large", .1, "2026-01", "a"}, {"c5.xlarge", .2, "2026-01", "a"}}
	got := Merge(old, []Own{{"c5.large", .15, "2026-02", "b"}, {"c5.xlarge", .25, "2026-01", "b"}})
	want := []Own{{"c5.large", .1, "2026-01", "a"}, {"c5.xlarge", .25, "2026-01", "b"}, {"c5.large", .15, "2026-02", "b"}}
	if !slices.Equal(got, want) || old[1].PerHour != .2 {
		t.Errorf("%+v, want %+v; old is %+v", got, want, old)
	}
}
