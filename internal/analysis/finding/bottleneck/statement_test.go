package bottleneck

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestStatementThatTakesTheTime: the dominant statement by its text, tables read by sequential scan, and transactions
// of others that stay open, stated behind whatever limits the cell.
func TestStatementThatTakesTheTime(t *testing.T) {
	run := func(change func(*record.Trial)) record.Trial {
		out := record.Trial{DurationS: 1, Load: record.LoadPoint{Kind: record.Closed, Unit: record.ParamClients, Level: 4},
			Keys: map[string]string{"pgbench.script": "-- script a.sql@1\n\\set c 1\nBEGIN;\nSELECT a\nFROM t;\nEND;"}}
		for name, v := range map[string]float64{"statement_1_begin": .0002, "statement_2_select": .0406,
			"statement_3_end": .0118, "latency_p50": .05} {
			out.Values = append(out.Values, record.Value{Metric: record.Metric{Name: name, Unit: "s"}, Value: v})
		}
		out.Database = &record.Database{Scans: []record.Scan{{Table: "t", PerOp: 1, RowsRead: 59_900}, {Table: "small",
			PerOp: 1, RowsRead: 1000}}, Open: []record.OpenTransactions{{Name: "shop-worker", Count: 20}}}
		change(&out)
		return out
	}
	same := func(*record.Trial) {}
	got := bottleneckOf([]record.Trial{run(same), run(func(t *record.Trial) { t.Database = nil })}, nil, nil, nil, "")
	if want := []string{"statement 2 (SELECT a FROM t) takes 40.6 of 52.6 ms",
		"a transaction reads about 30000 rows of the table t by sequential scan",
		"10 connections of shop-worker idle in a transaction, which keeps its locks"}; !slices.Equal(got.Details, want) {
		t.Errorf("%q, want %q", got.Details, want)
	}
	for name, change := range map[string]func(*record.Trial){
		"none takes half": func(t *record.Trial) {
			for i := range t.Values {
				t.Values[i].Value = .01
			}
		},
		"several scripts": func(t *record.Trial) {
			for i := range t.Values {
				t.Values[i].Name = strings.Replace(t.Values[i].Name, "statement_", "statement_script1_", 1)
			}
		},
	} {
		if got := bottleneckOf([]record.Trial{run(change)}, nil, nil, nil, ""); got.Statement != nil {
			t.Errorf("%s: %+v", name, got.Statement)
		}
	}
}
