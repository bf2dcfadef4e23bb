package convert

import (
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
)

// k6Of is k6 --summary-export of 50 virtual users, whose iterations take so many ms.
func k6Of(ms string) string {
	return `{"metrics":{"iterations":{"count":6001,"rate":199.98},"iteration_duration":{"avg":` + ms + `,"min":8.1,` +
		`"med":` + ms + `,"max":344.2},"http_reqs":{"count":6001,"rate":199.98},"http_req_duration":{"avg":10.1,"min":8.0,` +
		`"med":9.9,"max":44.0},"http_req_failed":{"passes":0,"fails":6001,"value":0},"vus":{"value":50,"min":50,"max":50},` +
		`"vus_max":{"value":50,"min":50,"max":50}}}`
}

// k6Text is the output of k6 with such a scenario and end.
func k6Text(scenario, end string) string {
	return "     scenarios: (100.00%) 1 scenario, 10 max VUs, 1m30s max duration (incl. graceful stop):\n" + scenario +
		"     http_req_duration..............: avg=100ms   min=90ms  med=99ms  max=220ms p(90)=110ms p(95)=120ms\n" +
		"     http_req_failed................: 0.00%   ✓ 0        ✗ 3000\n" +
		"     http_reqs......................: 3000    33.33/s\n" +
		"     iteration_duration.............: avg=100ms   min=90ms  med=99ms  max=220ms p(90)=110ms p(95)=120ms\n" +
		"     iterations.....................: 3000    33.33/s\n" +
		"     vus............................: 10      min=10     max=10\n" +
		"     vus_max........................: 10      min=10     max=10\n\n" +
		"running (0m30.0s), 10/10 VUs, 1500 complete and 0 interrupted iterations\n" + end
}

// TestK6WhoseUsersWait: a steady number of virtual users that wait for arrivals is no closed loop.
func TestK6WhoseUsersWait(t *testing.T) {
	loop := "              * default: 10 looping VUs for 1m0s (gracefulStop: 30s)\n"
	point := func(metric string, at int, value string) string {
		return fmt.Sprintf(`{"metric":%q,"type":"Point","data":{"time":"2026-01-01T00:00:%02d.%03dZ","value":%s}}`+"\n", metric,
			at/1000, at%1000, value)
	}
	stream := point("vus", 0, "50") + point("vus_max", 0, "50")
	for at := 50; at < 20_000; at += 50 {
		stream += point("http_req_duration", at, "10") + point("iteration_duration", at, "11")
	}
	tryAll(t, []report{
		{name: "export", format: reader.K6, text: k6Of("10.4"), err: "--load rate=N"},
		{name: "export at its rate", format: reader.K6, text: k6Of("10.4"), load: "rate=200", at: "200/s",
			values: map[string]float64{"throughput": 199.98}},
		{name: "export at less", format: reader.K6, text: k6Of("10.4"), load: "rate=300", at: "300/s",
			void: "200 of 300 offered"},
		{name: "export of a closed loop", format: reader.K6, text: k6Of("249"), at: "50 clients"},
		{name: "points", format: reader.K6, text: stream, err: "--load rate=N"},
		{name: "points of a closed loop", format: reader.K6,
			text: strings.ReplaceAll(stream, `"value":11}`, `"value":2480}`), at: "50 clients"},
		{name: "text of a closed loop", format: reader.K6, text: k6Text(loop, ""), at: "10 clients"},
		{name: "text without its scenario", format: reader.K6, text: k6Text("", ""), err: "--load rate=N"},
	})
}

// TestK6Interrupted: an iteration without an end is in no figure, and is told.
func TestK6Interrupted(t *testing.T) {
	loop := "              * default: 10 looping VUs for %T (gracefulStop: 30s)\n"
	end := "running (1m30.0s), 00/10 VUs, 3000 complete and 5 interrupted iterations\n"
	tryAll(t, []report{
		{name: "after its time", format: reader.K6, text: k6Text(replaced(loop, "%T", "1m0s"), end), at: "10 clients",
			doubt: "5 iterations were interrupted at the end of the run, and their latencies are in no figure: the rates " +
				"are over 90 s, with the wait for them, and the load lasted 60 s"},
		{name: "at its end", format: reader.K6, text: k6Text(replaced(loop, "%T", "1m30s"), end),
			doubt: "5 iterations were interrupted"},
	})
	_, trials := imported(t, formatOf(reader.K6Tool()), k6Text(replaced(loop, "%T", "1m0s"), ""), onMachine())
	if len(trials[0].Doubts) > 0 {
		t.Errorf("without: %q", trials[0].Doubts)
	}
}
