package claims

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

// runs are measurements as import reads them, with comments above the header.
const runs = `# source: a test
# and nothing else
machine,workload,param.size,replicate,load,at,metric,value,unit
a,put,1 KiB,0,8,,throughput,90,op/s
a,put,1 KiB,1,8,,throughput,160,op/s
a,put,1 KiB,0,16,,throughput,150,op/s
a,put,4 KiB,0,8,,throughput,40,op/s
a,put,1 KiB,0,8,,latency,2,ms
b,put,1 KiB,0,8,,throughput,100,op/s
b,put,1 KiB,0,16,,throughput,200,op/s
b,put,1 KiB,0,16,0,throughput,210,op/s
b,put,1 KiB,0,16,10,throughput,120,op/s
b,put,1 KiB,0,16,20,throughput,240,op/s
b,get,,0,16,,drift,-2,%
b,get,,1,16,,drift,4,%
`

// ofRuns computes one formula over the runs.
func ofRuns(t *testing.T, formula string) (float64, error) {
	t.Helper()
	r, err := Check([]File{
		{"facts.csv", []byte("id,value,unit\nfast,{throughput machine=b load=16},op/s\nbad,{throughput machine=c},op/s\n")},
		{"runs.csv", []byte(runs)},
		{"claims.csv", []byte("id,source,claim,stated,unit,formula\nA,x,w,,1,\"" + formula + "\"\n")},
	}, nil, embeddedCatalog(t))
	if err != nil {
		return 0, err
	}
	return r.Claims[0].Computed, nil
}

func TestMeasurements(t *testing.T) {
	for formula, want := range map[string]float64{
		"{throughput machine=a load=8 size=1 KiB}":                                         120, // geometric: 90, 160
		"{ throughput machine=a param.size=4 KiB }":                                        40,
		"{latency machine=a}":                                                              2,
		"{drift machine=b}":                                                                1, // of values below 0: the mean
		"{fast}/{throughput machine=b load=8}":                                             2,
		"min({throughput machine=b at=*})":                                                 120,
		"lowest({throughput machine=b load=16 at=*})":                                      10,
		"mean({throughput machine=b at=5..30})":                                            180,
		"max({throughput machine=b load=*},1)":                                             200, // without the steps
		"crossing({throughput machine=a size=1 KiB load=*},{throughput machine=b load=*})": 8 + 8*20./70,
	} {
		if got, err := ofRuns(t, formula); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, %v; want %v", formula, got, err, want)
		}
	}
}

func TestMeasurementsRefused(t *testing.T) {
	for formula, want := range map[string]string{
		"{throughput machine=a load=8}": `selects several cells: param.size is "1 KiB" and "4 KiB", runs.csv:4 and ` +
			"runs.csv:7\nhint: add size=… to it",
		"{throughput load=16}":                      `machine is "a" and "b"`,
		"{throughput machine=b load=16 at=0..99}+1": "3 figures where one is expected",
		"max({throughput load=*})":                  `selects several cells: param.size is "1 KiB" and "4 KiB"`,
		"{throughput machine=c}": `no measurement is "throughput machine=c": no row left has machine=c` +
			"\nhint: did you mean machine=a?",
		"{throughput color=red}":                   "no row left has a column color",
		"{throughput machine=a load=8 size=4 kiB}": "did you mean size=4 KiB?",
		"{thruput machine=a}": "no row left has metric=thruput\nhint: there are drift, " +
			"latency, throughput",
		"{throughput machine=a load=100..200 size=x}": "no row left has load=100..200\nhint: there are 16, 8",
		"{machine=a}":                        "selects no metric",
		"{a b machine=a}":                    "selects two metrics",
		"max({throughput load=* size=1..4})": "has two axes",
		"{bad}":                              "the fact bad, facts.csv:3: no measurement",
	} {
		_, err := ofRuns(t, formula)
		if !usage.Is(err) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v, want %q", formula, err, want)
		}
	}
}

// TestOwnMeasurements stand before the articles', whose facts keep to the articles' own, and of a metric of theirs
// nothing is filled in.
func TestOwnMeasurements(t *testing.T) {
	const of = " machine=m5d.8xlarge workload=pgbench script=read-write checksums=off}"
	for _, c := range []struct {
		metric, formula string
		want            float64
		err             string
	}{
		{"throughput", "{throughput" + of, 1, ""},
		{"throughput", "{pg.rw.x86}", 28878, ""},
		{"throughput", "{throughput machine=m6gd.8xlarge workload=pgbench}", 0, "no row left has machine=m6gd.8xlarge"},
		{"throughput", "{throughput machine=m5d.8xlarge load=8}", 0, "no row left has a column load"},
		{"latency", "{throughput" + of, 28878, ""},
	} {
		r, err := Check([]File{
			{"runs.csv", []byte("machine,workload,param.script,param.checksums,metric,value,unit\n" +
				"m5d.8xlarge,pgbench,read-write,off," + c.metric + ",1,op/s\n")},
			{"claims.csv", []byte("id,source,claim,stated,unit,formula\nA,x,w,,1," + c.formula + "\n")},
		}, published(t), embeddedCatalog(t))
		switch {
		case c.err != "" && (!usage.Is(err) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %q", c.formula, err, c.err)
		case c.err == "" && (err != nil || math.Abs(r.Claims[0].Computed-c.want) > 1e-6):
			t.Errorf("%s: %+v, %v, want %v", c.formula, r.Claims, err, c.want)
		}
	}
}

// TestFailedRuns are in no figure, as in those of import.
func TestFailedRuns(t *testing.T) {
	const header = "machine,workload,replicate,load,metric,value,unit\n"
	for _, c := range []struct {
		rows string
		want float64 // 0: an error
	}{
		{"a,put,0,8,throughput,100,op/s\na,put,0,8,failed,50,%\na,put,1,8,throughput,50,op/s\na,put,1,8,failed,0,%\n", 50},
		{"a,put,0,8,throughput,100,op/s\na,put,0,8,errors,1,op/s\na,put,1,8,throughput,50,op/s\n", 50},
		{"a,put,0,8,throughput,100,op/s\na,put,0,8,failed,0.05,%\na,put,1,8,throughput,25,op/s\n", 50},
		{"a,put,0,8,throughput,100,op/s\na,put,0,8,failed,50,%\n", 0},
	} {
		r, err := Check([]File{{"runs.csv", []byte(header + c.rows)},
			{"claims.csv", []byte("id,source,claim,stated,unit,formula\nA,x,w,,op/s,{throughput load=8}\n")}}, nil,
			embeddedCatalog(t))
		switch {
		case c.want == 0 && (!usage.Is(err) || !strings.Contains(err.Error(), "selects failed runs only")):
			t.Errorf("%s%v", c.rows, err)
		case c.want > 0 && (err != nil || math.Abs(r.Claims[0].Computed-c.want) > 1e-9):
			t.Errorf("%s%+v, %v, want %v", c.rows, r.Claims, err, c.want)
		}
	}
}

// TestUnits: a figure of one name is converted to the unit of its claim, and one of another dimension is an error.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit, formula, stated, of string
		verdict                   Verdict
		computed                  float64
	}{
		{"ms", "{latency load=8}", "0.1", "s", Exact, .1},
		{"ms", "{latency load=8}", "100", "s", Wrong, .1},
		{"ms", "{latency load=8}", "100", "ms", Exact, 100},
		{"MB/s", "{latency load=8}", "100", "MiB/s", Wrong, 95.367431640625},
		{"Mbit/s", "{latency load=8}", "12.5", "MB/s", Exact, 12.5},
		{"ms", "{latency load=8}/1000", "0.1", "s", Exact, .1},
		{"ms", "{fact}", "100", "ms", Exact, 100},
		{"ms", "{fact}*1000", "100", "ms", Exact, 100},
		{"op/s", "{latency load=8}", "100", "tps", Exact, 100},
		{"ms", "{latency load=8}", "100", "MB/s", "", 0},
	} {
		r, err := Check([]File{
			{"runs.csv", []byte("machine,load,metric,value,unit\na,8,latency,100," + c.unit + "\n")},
			{"facts.csv", []byte("id,value,unit\nfact,{latency load=8},s\n")},
			{"claims.csv", []byte("id,source,claim,stated,unit,formula\nA,x,w," + c.stated + "," + c.of + "," + c.formula +
				"\n")},
		}, nil, embeddedCatalog(t))
		if c.verdict == "" {
			if !usage.Is(err) || !strings.Contains(err.Error(), "is in ms, and not in MB/s") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || r.Claims[0].Verdict != c.verdict || math.Abs(r.Claims[0].Computed/c.computed-1) > 1e-12 {
			t.Errorf("%+v: %+v, %v", c, r.Claims, err)
		}
	}
}
