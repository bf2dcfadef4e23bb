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
		{`,"norandommap":""`, "", "norandommap", "1"},
		{`,"random_distribution":"zipf:1.2"`, "", "random_distribution", "zipf:1.2"},
		{`,"thinktime":"0","iodepth_batch":"1","iodepth_low":"4","rate_process":"linear","invalidate":"1",
			"sync":"0","percentage_random":"100"`, "", "", ""},
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
