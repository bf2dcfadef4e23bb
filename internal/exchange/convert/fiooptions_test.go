package convert

import (
	"maps"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// fioParams returns the parameters of the cell of a document of fio with these options of all jobs and of its last job.
func fioParams(t *testing.T, global, last string) record.Params {
	t.Helper()
	side := `"bw_bytes":4096000,"iops":1000,"total_ios":10000,"io_bytes":40960000,"runtime":10000,` +
		`"lat_ns":{"mean":1000000}`
	text := `{"fio version":"fio-3.38","global options":{"rw":"randread","iodepth":"4"` + global + `},"jobs":[` +
		`{"jobname":"a","job options":{},"read":{` + side + `}},{"jobname":"b","job options":{` + last + `},"read":{` + side +
		`}}]}`
	runs, err := reader.FioTool().Runs([]byte(text), reader.Limits())
	if err != nil {
		t.Fatal(err)
	}
	return runs[0].Params()
}

// TestFioOptionsAreParameters: what makes a load unlike others of its depth is a parameter of its cell, and fio's own
// values are none.
func TestFioOptionsAreParameters(t *testing.T) {
	plain := fioParams(t, "", "")
	for _, c := range []struct{ global, last, param, want string }{
		{`,"thinktime":"100"`, "", "thinktime", "100"},
		{"", `"thinktime":"100"`, "thinktime", "0+100"},
		{`,"iodepth_batch":"4"`, "", "iodepth_batch", "4"},
		{`,"iodepth_batch_submit":"4"`, "", "iodepth_batch", "4"},
		{`,"iodepth_batch_complete":"4"`, "", "iodepth_batch_complete_min", "4"},
		{`,"iodepth_batch_complete_max":"8"`, "", "iodepth_batch_complete_max", "8"},
		{`,"iodepth_low":"2"`, "", "iodepth_low", "2"},
		{`,"rate_iops":"500"`, "", "rate_iops", "500"},
		{`,"rate":"2m,"`, "", "rate_bytes", "2m,"},
		{`,"rate_process":"poisson"`, "", "rate_process", "poisson"},
		{`,"sync":"dsync"`, "", "sync", "dsync"},
		{`,"flow":"2"`, "", "flow", "2"},
		{`,"bssplit":"4k/50:8k/50"`, "", "bssplit", "4k/50:8k/50"},
		{`,"latency_target":"200"`, "", "latency_target", "200"},
		{`,"latency_percentile":"99"`, "", "latency_percentile", "99"},
		{`,"verify":"crc32c"`, "", "verify", "crc32c"},
		{`,"zonesize":"256m"`, "", "zonesize", "256m"},
		{`,"cmdprio_percentage":"10"`, "", "cmdprio_percentage", "10"},
		{`,"norandommap":""`, "", "norandommap", "1"},
		{`,"random_distribution":"zipf:1.2"`, "", "random_distribution", "zipf:1.2"},
		{`,"thinktime":"0","iodepth_batch":"1","iodepth_low":"4","rate_process":"linear","invalidate":"1",
			"sync":"0","percentage_random":"100","latency_target":"0","latency_percentile":"100.0","verify":"0"`, "", "", ""},
		{`,"runtime":"10","group_reporting":"","name":"x","filename":"/dev/x"`, "", "", ""},
	} {
		want := maps.Clone(plain)
		if c.param != "" {
			want[c.param] = c.want
		}
		if got := fioParams(t, c.global, c.last); !maps.Equal(got, want) {
			t.Errorf("%s %s: %v, want %v", c.global, c.last, got, want)
		}
	}
	if strings.Contains(plain["rw"], "+") || plain["rate"] != "" {
		t.Errorf("%v", plain)
	}
}

// fioSearched is a run whose depth fio found for a latency_target.
const fioSearched = `{"fio version":"fio-3.36","global options":{"ioengine":"libaio","direct":"1"},"jobs":[{"jobname":"j",` +
	`"groupid":0,"error":0,"job options":{"rw":"randread","bs":"4k","iodepth":"128","latency_target":"200",` +
	`"latency_window":"1s","latency_percentile":"99","runtime":"10"},"read":{"io_bytes":2048000000,"bw_bytes":204800000,` +
	`"iops":50000.0,"runtime":10000,"total_ios":500000,"lat_ns":{"mean":80000,"N":100000}},"job_runtime":10000,` +
	`"iodepth_level":{"1":0.1,"2":0.1,"4":40.1,"8":20,"16":20,"32":19,">=64":1.0},"latency_depth":4,"latency_target":200,` +
	`"latency_percentile":99.0,"latency_window":1000000}]}`

// TestFioSearchesForADepth: the load of a latency_target is the depth that met it, and not the most that was allowed.
func TestFioSearchesForADepth(t *testing.T) {
	text := string(captured(t, "fio-text.txt"))
	tryAll(t, []report{
		{name: "found", format: reader.Fio, text: fioSearched, at: "4 clients",
			params: record.Params{"latency_target": "200", "latency_percentile": "99"}},
		{name: "not stated", format: reader.Fio, text: replaced(fioSearched, `"latency_depth":4,`, ""), err: "latency_depth"},
		{name: "text", format: reader.Fio, at: "7 clients", params: record.Params{"latency_target": "0+200"},
			text: strings.Replace(text, "target=0, window=0, percentile=100.00%, depth=4",
				"target=200, window=1000000, percentile=99.00%, depth=3", 1)},
	})
}
