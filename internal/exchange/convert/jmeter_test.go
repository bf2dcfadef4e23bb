package convert

import (
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
)

const (
	jtlHead = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,allThreads,IdleTime\n"
	jtlSum  = `"Number of samples in transaction : 2, number of failing samples : 0"`
)

// checkouts returns the samples of a user who loads a page for 10 ms and pays for 80 ms, ten times a second for 10 s,
// and the end of each.
func checkouts(home, checkout, end string) string {
	var out strings.Builder
	for at := 1_700_000_000_000; at < 1_700_000_010_000; at += 100 {
		text := strings.ReplaceAll(home+checkout+end, "%0", fmt.Sprint(at))
		for _, later := range []string{"10", "50"} {
			text = strings.ReplaceAll(text, "%"+later, fmt.Sprintf("%d%s", at/100, later))
		}
		out.WriteString(text)
	}
	return out.String()
}

// TestJMeterTransactions: the samples in a transaction are read where they are, and not taken to be there.
func TestJMeterTransactions(t *testing.T) {
	home := "%0,10,home,200,OK,T 1-1,true,500,4,0\n"
	parts := "%10,40,cart,200,OK,T 1-1,true,500,4,0\n%50,40,pay,200,OK,T 1-1,true,500,4,0\n"
	sum := "%10,80,checkout,200," + jtlSum + ",T 1-1,true,1000,4,0\n"
	waited := strings.NewReplacer("%10,80", "%0,20", "4,0\n", "4,90\n").Replace(sum)
	tag := func(name, at, ms, label, message, end string) string {
		return "<" + name + ` t="` + ms + `" it="0" ts="` + at + `" s="true" lb="` + label + `" rc="200" rm=` + message +
			` tn="T 1-1" by="500" ng="4" na="4"` + end + "\n"
	}
	first := tag("httpSample", "%0", "10", "home", `"OK"`, "/>")
	parent := tag("sample", "%10", "80", "checkout", jtlSum, ">")
	inside := tag("httpSample", "%10", "40", "cart", `"OK"`, "><httpSample t=\"1\" ts=\"1\" s=\"true\"/></httpSample>") +
		tag("httpSample", "%50", "40", "pay", `"OK"`, "/>")
	document := func(of string) string {
		return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testResults version=\"1.2\">\n" + of + "</testResults>\n"
	}
	left := "100 samples of transactions of JMeter are left out: the samples in them are read"
	missing := "100 of 100 transactions of JMeter are here without the samples in them"
	all := map[string]float64{"throughput": 300 / 9.99, "latency_p50": 40e-3}
	tryAll(t, []report{
		{name: "behind their samples", format: reader.JMeter, text: jtlHead + checkouts(home, parts, sum), values: all,
			unread: left},
		{name: "with a wait before the first", format: reader.JMeter, text: jtlHead + checkouts("", parts, waited),
			unread: left},
		{name: "as parents in CSV", format: reader.JMeter, text: jtlHead + checkouts(home, "", sum), err: missing},
		{name: "nothing but parents in CSV", format: reader.JMeter, text: jtlHead + checkouts("", "", sum), err: missing},
		{name: "as parents in XML", format: reader.JMeter, at: "4 clients",
			text: document(checkouts(first, parent+inside, "</sample>\n")), values: all, unread: left},
		{name: "nothing but parents in XML", format: reader.JMeter,
			text:   document(checkouts("", parent+inside, "</sample>\n")),
			values: map[string]float64{"latency": 40e-3}, unread: left},
		{name: "as parents in XML without their samples", format: reader.JMeter,
			text: document(checkouts(first, parent, "</sample>\n")), err: missing},
		{name: "without messages", format: reader.JMeter, unread: "no column responseMessage",
			text: strings.NewReplacer(",responseMessage", "", ",200,OK", ",200", ",200,"+jtlSum, ",200").
				Replace(jtlHead + checkouts(home, parts, sum))},
	})
}

// TestJMeterRamp: the most threads are the load of a run only if they ran for nearly all of it.
func TestJMeterRamp(t *testing.T) {
	ramp := func(steps, rest int) string {
		var out strings.Builder
		out.WriteString(jtlHead)
		for at := range steps + rest {
			fmt.Fprintf(&out, "%d,100,home,200,OK,T 1-1,true,500,%d,0\n", 1_700_000_000_000+100*at, min(at+1, steps))
		}
		return out.String()
	}
	tryAll(t, []report{
		{name: "all of it", format: reader.JMeter, text: ramp(50, 0), err: "50 at most, and fewer at 98% of the samples"},
		{name: "all of it, with a load", format: reader.JMeter, text: ramp(50, 0), load: "25", at: "25 clients"},
		{name: "its beginning", format: reader.JMeter, text: ramp(50, 500), at: "50 clients"},
	})
}
