package convert

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// csvHead is the header that the tests' rows have where none is said.
const csvHead = "machine,workload,replicate,load,metric,value,unit,load_kind,param.size\n"

func given() Options { return Options{File: "f.csv", Replicate: Unnumbered} }

func imported(t testing.TB, f Format, text string, o Options) (*Batch, []record.Trial) {
	t.Helper()
	var im Import
	b, err := im.Read(f, strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return b, slices.Collect(b.Trials("p"))
}

// texts are trials in short, for comparing.
func texts(trials []record.Trial) []string {
	var out []string
	for _, t := range trials {
		s := fmt.Sprintf("%s %s r%d %s", t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload], t.Replicate,
			t.Keys[record.KeyLoad])
		for _, name := range slices.Sorted(maps.Keys(paramsOf(t))) {
			s += " " + name + "=" + paramsOf(t)[name]
		}
		for _, v := range t.Values {
			s += fmt.Sprintf(" | %s %.6g %s %s", v.Name, v.Value, v.Unit, v.Better)
		}
		out = append(out, s)
	}
	return out
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCSV(t *testing.T) {
	machine := func(o *Options) { o.Machine = "m" }
	all := func(o *Options) {
		o.Machine, o.Workload, o.Replicate, o.Params = "m", "w", 3, record.Params{"tls": "on"}
	}
	for _, tc := range []struct {
		name, text string
		options    func(*Options)
		want       []string
	}{
		{name: "rows of a trial lie apart, and throughput comes first", text: csvHead +
			"a,w,1,8,latency_p99,12,ms,clients,1KiB\na,w,2,8,throughput,90,MB/s,clients,1KiB\n" +
			"a,w,1,8,throughput,1,MiB/s,clients,1KiB\na,w,2,8,latency_p99,250,us,clients,1KiB\n",
			want: []string{
				"a w r1 8 clients size=1KiB | throughput 1.04858e+06 B/s higher | latency_p99 0.012 s lower",
				"a w r2 8 clients size=1KiB | throughput 9e+07 B/s higher | latency_p99 0.00025 s lower",
			}},
		{name: "loads", text: csvHead + "a,w,1,8,x,1,,cpus,\na,w,1,8,x,2,,rate,\na,w,1,8,x,3,,,\na,w,1,,x,4,,,\n",
			want: []string{"a w r1 8 cpus | x 1  neutral", "a w r1 8/s | x 2  neutral", "a w r1 8 clients | x 3  neutral",
				"a w r1 once | x 4  neutral"}},
		{name: "parameters that make a load", text: strings.Replace(csvHead, "size", "cpus,param.arrivals", 1) +
			"a,w,1,8,x,1,,cpus,all,\na,w,1,8,x,2,,rate,,uniform\n",
			want: []string{"a w r1 all cpus cpus=all | x 1  neutral", "a w r1 8/s uniform arrivals=uniform | x 2  neutral"}},
		{name: "units", text: csvHead +
			"a,w,1,1,throughput,5,ops/s,,\na,w,2,1,throughput,6,1/s,,\na,w,3,1,throughput,7,op/s,,\n" +
			"a,v,1,1,throughput,8,furlong/s,,\na,v,1,1,cpu,80.5,%,,\na,v,1,1,iops,9,1/s,,\na,v,1,1,latency,3,s,,\n",
			want: []string{
				"a w r1 1 clients | throughput 5 op/s higher", "a w r2 1 clients | throughput 6 op/s higher",
				"a w r3 1 clients | throughput 7 op/s higher",
				"a v r1 1 clients | throughput 8 furlong/s higher | cpu 80.5 % neutral | iops 9 op/s higher | latency 3 s lower",
			}},
		{name: "byte order mark, CRLF, spaces, quotes, blank lines", text: "\ufeff" +
			strings.ReplaceAll(csvHead, "\n", "\r\n") + "\r\n\"a,\"\"b\"\"\", w ,1,8, x , 1e3 ,,clients,\" k\"\r\n\r\n",
			want: []string{`a,"b" w r1 8 clients size= k | x 1000  neutral`}},
		{name: "no newline at the end", text: csvHead + "a,w,1,8,x,1,,clients,",
			want: []string{"a w r1 8 clients | x 1  neutral"}},
		{name: "columns in any order and a direction", text: "unit,value,metric,better,load,replicate,workload,machine\n" +
			",1,x,lower,8,0,w,a\n", want: []string{"a w r0 8 clients | x 1  lower"}},
		{name: "a column that is missing", text: "workload,replicate,load,metric,value,unit\nw,1,8,x,1,\n", options: machine,
			want: []string{"m w r1 8 clients | x 1  neutral"}},
		{name: "a column that is empty", text: csvHead + ",w,1,8,x,1,,,\nm,w,2,8,x,1,,,\n", options: machine,
			want: []string{"m w r1 8 clients | x 1  neutral", "m w r2 8 clients | x 1  neutral"}},
		{name: "three columns that are missing", text: "load,metric,value,unit\n8,x,1,\n", options: all,
			want: []string{"m w r3 8 clients tls=on | x 1  neutral"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := given()
			if tc.options != nil {
				tc.options(&o)
			}
			_, trials := imported(t, csvFormat(), tc.text, o)
			same(t, texts(trials), tc.want)
		})
	}
}

// Of an import, the machines of one cell and replicate are a pair: one plan, group
// and replicate, and two cells.
func TestPairsOfAnImport(t *testing.T) {
	b, trials := imported(t, csvFormat(),
		csvHead+"a,w,1,8,x,1,,,1KiB\nb,w,1,8,x,2,,,1KiB\nb,w,1,8,x,3,,,2KiB\nb,w,2,8,x,4,,,1KiB\n", given())
	p := b.Plan("random")
	if p.Name != "import of f.csv" || p.Session != "random" || p.Replicates != 2 || len(p.Cells) != 3 ||
		p.Imported.Format != "csv" || len(p.Imported.SHA256) != 64 {
		t.Errorf("%+v", p)
	}
	var at [][3]int
	for _, tr := range trials {
		at = append(at, [3]int{tr.Cell, tr.Group, tr.Replicate})
		if tr.Plan != "p" || tr.Start != "" || tr.DurationS != 0 || tr.CPU != nil || tr.Ledger != nil ||
			tr.Generator != nil || tr.Keys[record.KeyImported] != "csv" {
			t.Errorf("%+v", tr)
		}
	}
	if want := [][3]int{{0, 0, 1}, {1, 0, 1}, {2, 1, 1}, {1, 0, 2}}; !slices.Equal(at, want) {
		t.Errorf("cell, group and replicate are %v, want %v", at, want)
	}
	if got := b.Machines(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("machines %v", got)
	}
}

func TestRefusals(t *testing.T) {
	row := "a,w,1,8,throughput,1,MB/s,clients,\n"
	long := strings.Repeat("x", 10_000)
	for _, tc := range []struct {
		name, text string
		want       string // where and why
	}{
		{"empty", "", "f.csv: it is empty"},
		{"header only", csvHead, "f.csv: it has a header but no rows"},
		{"UTF-16", "\xff\xfem\x00a\x00", "f.csv: it is UTF-16\nhint: iconv"},
		{"UTF-16, big end first", "\xfe\xff\x00m", "f.csv: it is UTF-16"},
		{"UTF-16 without a mark", "m\x00a\x00c\x00", "f.csv: it is UTF-16 without"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "f.csv: it is binary"},
		{"binary behind its beginning", csvHead + strings.Repeat("\n", sniffBytes) + "a,w,1,8,x,1,,,\x00\xff\n",
			"f.csv:1026: size: "},
		{"gzip", "\x1f\x8b\x08", "f.csv: it is compressed by gzip"},
		{"spreadsheet", "PK\x03\x04", "f.csv: it is a ZIP archive"},
		{"semicolons", strings.ReplaceAll(csvHead, ",", ";"), `f.csv:1: the columns are separated by ";"`},
		{"no column", strings.Replace(csvHead, "machine,", "", 1),
			"f.csv:1: no column machine\nhint: set it for all rows with --machine"},
		{"no columns", "value\n1\n", "f.csv:1: no column machine, workload, replicate, load, metric, unit"},
		{"a column that flags cannot give", strings.Replace(csvHead, "unit,", "", 1),
			"f.csv:1: no column unit\nhint: the first line"},
		{"unknown column", strings.Replace(csvHead, "param.", "parm.", 1), `f.csv:1: unknown column "parm.size"`},
		{"column twice", strings.Replace(csvHead, "param.size", "unit", 1),
			`f.csv:1: the header has the column "unit" twice`},
		{"parameter without a name", strings.Replace(csvHead, "param.size", "param.", 1), `f.csv:1: unknown column "param."`},
		{"too few cells", csvHead + row + "a,w,1\n", "f.csv:3: has 3 cells, the header has 9"},
		{"too many cells", csvHead + strings.TrimSuffix(row, "\n") + ",1\n", "f.csv:2: has 10 cells"},
		{"no number", csvHead + strings.Replace(row, ",1,MB", ",fast,MB", 1), `f.csv:2: value "fast" is not a number`},
		{"decimal comma", csvHead + strings.Replace(row, ",1,MB", `,"1,5",MB`, 1), `f.csv:2: value "1,5" is not a number`},
		{"NaN", csvHead + strings.Replace(row, ",1,MB", ",NaN,MB", 1), `f.csv:2: value "NaN" is not a number`},
		{"infinite", csvHead + strings.Replace(row, ",1,MB", ",-Inf,MB", 1), `f.csv:2: value "-Inf" is not a number`},
		{"infinite in its base unit", csvHead + strings.Replace(row, ",1,MB", ",1e308,MB", 1),
			`f.csv:2: "throughput" of 1e+308 in "MB/s" is not a finite number`},
		{"bare M", csvHead + strings.Replace(row, "MB/s", "M", 1), `f.csv:2: unit "M" is ambiguous`},
		{"bare k", csvHead + strings.Replace(row, "MB/s", "k/s", 1), `f.csv:2: unit "k/s" is ambiguous`},
		{"mixed units", csvHead + row + "a,w,2,8,throughput,1,1/s,clients,\n",
			`f.csv:3: throughput is in "op/s" here but in "B/s" above`},
		{"mixed units of two machines", csvHead + row + "b,w,1,8,throughput,1,req/s,clients,\n",
			`f.csv:3: throughput is in "req/s" here`},
		{"latency of bytes", csvHead + "a,w,1,8,latency_p99,1,B,,\n", `f.csv:2: latency_p99 has the unit "B"`},
		{"cpu as a fraction", csvHead + "a,w,1,8,cpu,.8,,,\n", `f.csv:2: cpu has the unit ""`},
		{"iops in bytes", csvHead + "a,w,1,8,iops,.8,B/s,,\n", `f.csv:2: iops has the unit "B/s"`},
		{"duplicate", csvHead + row + row, `f.csv:3: "throughput" of replicate 1 of "w" on "a" at 8 clients is listed twice`},
		{"duplicate far away", csvHead + row + "b,w,1,8,x,1,,,\n\n" + row, "f.csv:5: "},
		{"duplicate in other words", csvHead + row + "a,w,1,8,throughput,2,GB/s,,\n", "f.csv:3: "},
		{"zero throughput", csvHead + strings.Replace(row, ",1,MB", ",0,MB", 1),
			"f.csv:2: throughput is 0, but must be positive"},
		{"negative latency", csvHead + "a,w,1,8,latency,-1,ms,,\n", "f.csv:2: latency is -0.001"},
		{"zero by underflow", csvHead + "a,w,1,8,latency,4e-324,ns,,\n", "f.csv:2: latency is 0"},
		{"negative cpu", csvHead + "a,w,1,8,cpu,-1,%,,\n", "f.csv:2: cpu is -1%"},
		{"load kind", csvHead + strings.Replace(row, "clients", "users", 1), `f.csv:2: unknown load_kind "users"`},
		{"load", csvHead + strings.Replace(row, ",8,", ",many,", 1), `f.csv:2: load "many" is not a positive number`},
		{"load of nothing", csvHead + strings.Replace(row, ",8,", ",0,", 1), `f.csv:2: load "0"`},
		{"kind without a load", csvHead + strings.Replace(row, ",8,", ",,", 1), `f.csv:2: load ""`},
		{"half a client", csvHead + strings.Replace(row, ",8,", ",.5,", 1), "f.csv:2: load of 0.5 clients"},
		{"replicate", csvHead + strings.Replace(row, ",1,8", ",first,8", 1), `f.csv:2: replicate "first"`},
		{"negative replicate", csvHead + strings.Replace(row, ",1,8", ",-1,8", 1), `f.csv:2: replicate "-1"`},
		{"no machine", csvHead + "," + strings.TrimPrefix(row, "a,"), "f.csv:2: a result without a machine"},
		{"no workload", csvHead + strings.Replace(row, ",w,", ", ,", 1), "f.csv:2: a result without a workload"},
		{"no metric", csvHead + strings.Replace(row, "throughput", "", 1), "f.csv:2: a value without a metric"},
		{"direction", "machine,workload,replicate,load,metric,value,unit,better\na,w,1,1,x,1,,more\n",
			`f.csv:2: better is "more"`},
		{"two directions", "machine,workload,replicate,load,metric,value,unit,better\na,w,1,1,x,1,,lower\n" +
			"a,w,2,1,x,1,,higher\n", "f.csv:3: x is better when higher here"},
		{"bare quote", csvHead + "a,w\"x,1,8,x,1,,,\n", "f.csv:2: bare \""},
		{"open quote", csvHead + row + "\"a,w,1,8,x,1,,,\n", "f.csv:3: extraneous or missing \""},
		{"open quote before much", csvHead + row + "\"a,w,1,8,x,1,,,\n" + strings.Repeat(row, 10_000),
			"f.csv:3: a row of more than 64 KiB"},
		{"newline in a name", csvHead + "\"a\nb\",w,1,8,x,1,,,\n",
			"f.csv:2: machine: \"a\\nb\" contains a control character"},
		{"escape in a metric", csvHead + "a,w,1,8,x\x1b[2J,1,,,\n", "f.csv:2: metric: "},
		{"escape in a unit", csvHead + "a,w,1,8,x,1,\x1b,,\n", "f.csv:2: unit: "},
		{"not UTF-8", csvHead + "caf\xe9,w,1,8,x,1,,,\n", "f.csv:2: machine: \"caf\\xe9\" is not UTF-8"},
		{"long name", csvHead + long + ",w,1,8,x,1,,,\n", "f.csv:2: the names of a run of"},
		{"long parameter", csvHead + "a,w,1,8,x,1,,," + long + "\n", "f.csv:2: the names of a run of"},
		{"long metric", csvHead + "a,w,1,8," + long + ",1,,,\n", "f.csv:2: a run of"},
		{"workload with a meaning", csvHead + "a,factor,1,8,x,1,,,\n", `f.csv:2: a workload cannot be named "factor"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var im Import
			_, err := im.Read(csvFormat(), strings.NewReader(tc.text), given())
			var input *usage.Error
			if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestOptionsMustNotContradict(t *testing.T) {
	for _, tc := range []struct {
		set  func(*Options)
		want string
	}{
		{func(o *Options) { o.Machine = "b" }, `f.csv:2: machine is "a" here, but "b" in --machine`},
		{func(o *Options) { o.Workload = "v" }, `f.csv:2: workload is "w" here, but "v" in --workload`},
		{func(o *Options) { o.Replicate = 2 }, `f.csv:2: replicate is 1 here, but 2 in --replicate`},
		{func(o *Options) { o.Params = record.Params{"size": "2KiB"} },
			`f.csv:2: param.size is "1KiB" here, but "2KiB" in --param`},
	} {
		o := given()
		tc.set(&o)
		var im Import
		_, err := im.Read(csvFormat(), strings.NewReader(csvHead+"a,w,1,8,x,1,,,1KiB\n"), o)
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("got %v, want %q", err, tc.want)
		}
	}
}
