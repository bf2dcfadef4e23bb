package claims

import (
	"encoding/json"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

func TestAChangedFactChangesValueAndVerdict(t *testing.T) {
	files := published(t)
	before := find(t, check(t, files...), "PG1")
	for _, tc := range []struct {
		price   string
		want    Verdict
		percent string
	}{{"1.356", Exact, "25.0"}, {"1.3605", Rounded, "24.8"}, {"1.3", Loose, "28.1"}, {"0.5", Wrong, "72.3"},
		{"1.9", Wrong, "-5.1"}} {
		changed := edited(t, files, "usd_per_h,1.4464,", "usd_per_h,"+tc.price+",")
		after := find(t, check(t, changed...), "PG1")
		if after.Verdict != tc.want || after.Stated.Like(after.Computed) != tc.percent || after.Computed == before.Computed {
			t.Errorf("at %s USD: %s, computed %v; want %s, %s", tc.price, after.Verdict, after.Computed, tc.want, tc.percent)
		}
	}
	if before.Verdict != Wrong || before.Stated.Like(before.Computed) != "20.0" {
		t.Errorf("before: %+v", before)
	}
}

// A fact of the tables stands before the catalogue's, which moves on.
func TestFactsStandBeforeTheCatalogue(t *testing.T) {
	claim := File{"claims.csv",
		[]byte("id,source,claim,stated,unit,formula\nA,x,price,1.808,USD/h,{cat.m5d.8xlarge.usd_per_h}\n")}
	if c := find(t, check(t, claim), "A"); c.Verdict != Exact {
		t.Errorf("of the catalogue: %+v", c)
	}
	own := File{"facts.csv", []byte("id,value,unit\ncat.m5d.8xlarge.usd_per_h,2.5,USD/h\n")}
	if c := find(t, check(t, own, claim), "A"); c.Computed != 2.5 {
		t.Errorf("of the table: %+v", c)
	}
}

// Tables never seen before: other names of columns and files, another order,
// more columns, a byte order mark, quotes, the lines' ends of Windows, and the
// columns of results, which are no input.
func TestUnseenTables(t *testing.T) {
	facts := File{"b/figures.csv",
		[]byte("\ufeffunit,FACT_ID,value,\r\ns,my.before,8,\r\ns,my.after, 5,\r\nversion,my.kernel,6.1.2,\r\n")}
	claims := File{"a/what they say.csv",
		[]byte(`verdict,formula,computed_value,claim_id,source_file,claim,stated_value,unit
exact,(1-{my.after}/{my.before})*100,99,one,"A talk, 2026","""40%"" faster",4e1,%
exact,{my.before} / { my.after },,two,"A talk, 2026",speedup,1.60,ratio
wrong,{cat.c5.18xlarge.vcpu}/{cat.c5.18xlarge.cores},,three,"A talk, 2026",threads,,count
`)}
	r := check(t, claims, facts, File{"other.csv", []byte("instance_type,vcpu\nx,1\n")})
	if len(r.Claims) != 3 || len(r.Skipped) != 1 || r.Skipped[0] != "other.csv" {
		t.Fatalf("%+v", r)
	}
	one, two, three := r.Claims[0], r.Claims[1], r.Claims[2]
	if one.Verdict != Rounded || one.Computed != 37.5 || one.Words != `"40%" faster` || one.Source != "A talk, 2026" {
		t.Errorf("%+v", one)
	}
	if two.Verdict != Exact || two.Computed != 1.6 || three.Verdict != Info || three.Computed != 2 {
		t.Errorf("%+v, %+v", two, three)
	}
}

func TestJSONKeys(t *testing.T) {
	text, err := json.Marshal(check(t, published(t)...))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Claims  []map[string]any `json:"claims"`
		Summary map[string]int   `json:"summary"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, c := range document.Claims {
		for _, key := range []string{"id", "source", "claim", "stated", "unit", "computed", "diff_pct", "verdict", "note",
			"formula"} {
			if _, ok := c[key]; !ok {
				t.Errorf("%v has no %s", c["id"], key)
			}
		}
		if _, isNumber := c["stated"].(float64); c["stated"] != nil && !isNumber {
			t.Errorf("%v: stated is %v", c["id"], c["stated"])
		}
	}
	if len(document.Summary) != 7 || document.Summary["claims"] != len(document.Claims) {
		t.Errorf("summary %v", document.Summary)
	}
}

func TestBadTables(t *testing.T) {
	const header = "id,source,claim,stated,unit,formula\n"
	facts := "id,value,unit\npg.rw.arm,34409,tps\nkernel,5.10.118,version\nnan,NaN,1\nzero,0,count\n"
	for _, tc := range []struct{ name, facts, claims, want, hint string }{
		{"unknown fact", facts, header + "A,x,w,1,%,2*{pg.rw.am}\n",
			`claims.csv:2: claim A: formula, column 3: unknown fact "pg.rw.am"; the nearest is pg.rw.arm, facts.csv:2`,
			"did you mean {pg.rw.arm}"},
		{"far fact", facts, header + "A,x,w,1,%,{something.else}\n", `unknown fact "something.else"`,
			"define facts in a table"},
		{"unknown type", facts, header + "A,x,w,1,%,{cat.m5d.8xlrage.vcpu}\n", `unknown instance type "m5d.8xlrage"`,
			"m5d.8xlarge"},
		{"unknown field", facts, header + "A,x,w,1,%,{cat.m5d.8xlarge.price}\n", `no field "price"`, "usd_per_h"},
		{"unknown figure", facts, header + "A,x,w,1,%,{cat.c5.large.nvme}\n", "the catalogue has no nvme of c5.large",
			"cat.c5.large.nvme"},
		{"no field", facts, header + "A,x,w,1,%,{cat.vcpu}\n", `"cat.vcpu" is not {cat.TYPE.FIELD}`, "such as"},
		{"division by zero", facts, header + "\nA,x,w,1,%,1/{zero}\n",
			"claims.csv:3: claim A: formula, column 2: division by zero", ""},
		{"version", facts, header + "A,x,w,1,%,{kernel}\n", `the fact kernel, facts.csv:3: "5.10.118" is not a number`,
			"644506"},
		{"nan", facts, header + "A,x,w,1,%,{nan}\n", `"NaN" is not a number`, ""},
		{"infinite", facts, header + "A,x,w,1,%,1e308*10\n", "is not a finite number", ""},
		{"stated", facts, header + "A,x,w,25%,%,1\n", `claims.csv:2: stated: "25%" is not a number`, "a separate column"},
		{"stated inf", facts, header + "A,x,w,1e99999,%,1\n", "exponent", ""},
		{"claim twice", facts, header + "A,x,w,1,%,1\nA,x,w,1,%,1\n",
			"claims.csv:3: claim A is defined already, in claims.csv:2", ""},
		{"fact twice", facts + "zero,0,count\n", header + "A,x,w,1,%,1\n",
			"facts.csv:6: fact zero is defined already, in facts.csv:5", ""},
		{"unit of a claim", facts, header + "A,x,w,1,,1\n", "claims.csv:2: no unit", `"ratio"`},
		{"unit of a fact", facts + "more,1,\n", header + "A,x,w,1,%,1\n", "facts.csv:6: no unit", `"count"`},
		{"value of a fact", facts + "more,,s\n", header + "A,x,w,1,%,1\n", "facts.csv:6: no value", ""},
		{"braces", facts + "{more},1,s\n", header + "A,x,w,1,%,1\n", "braces", ""},
		{"missing column", facts, "id,source,claim,stated,formula\nA,x,w,1,1\n", `claims.csv:1: no column "unit" for claims`,
			"the columns of claims are id, source, claim, stated, unit, formula"},
		{"facts without ids", "name,value,unit\n", header, `facts.csv:1: no column "id" for facts`, ""},
		{"semicolons", facts, "id;source;claim\n", `claims.csv:1: no column "id"`, "separate the columns by commas"},
		{"column twice", facts, "id,claim_id,source\n", "claims.csv:1: two columns for id", ""},
		{"cells", facts, header + "A,x,w,1,%,1,2\n", "claims.csv:2: has 7 cells, the header has 6", "quotes"},
		{"quotes", facts, header + "A,x,\"w\" w,1,%,1\n", "claims.csv:2: ", "double its quotes"},
		{"empty", "", header, "facts.csv:1: empty", ""},
		{"latin 1", facts + "caf\xe9,1,s\n", header, "facts.csv:6: not text in UTF-8", "save it as CSV in UTF-8"},
		{"utf-16", "\xff\xfei\x00d\x00", header, "facts.csv:1: not text in UTF-8", ""},
		{"zeros", "i\x00d\x00,\x00", header, "facts.csv:1: not text in UTF-8", ""},
		{"huge", strings.Repeat("x", MaxFile+1), header, "facts.csv:1: larger than 16 MiB", ""},
		{"many", facts, header + strings.Repeat("A,x,w,1,%,\n", 30), "and more", ""},
		{"long name", facts, header + "A,x,w,1,%,{" + strings.Repeat("x", 1<<20) + "}\n", "unknown fact", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Check([]File{{"facts.csv", []byte(tc.facts)}, {"claims.csv", []byte(tc.claims)}}, nil, embeddedCatalog(t))
			if err == nil {
				t.Fatal("no error")
			}
			text, hint, _ := strings.Cut(err.Error(), "\nhint: ")
			if !usage.Is(err) || !strings.Contains(text, tc.want) || hint == "" || !strings.Contains(hint, tc.hint) {
				t.Errorf("%T %v\nwant %q, hint %q", err, err, tc.want, tc.hint)
			}
			if len(err.Error()) > 2000 {
				t.Errorf("the error is %d bytes long", len(err.Error()))
			}
		})
	}
}
