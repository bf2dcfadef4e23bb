package reader

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Iperf3 is the format of iperf3's output, as text and as JSON.
const Iperf3 = "iperf3"

// Iperf3Tool returns iperf3.
func Iperf3Tool() Tool {
	return Tool{Name: Iperf3, Doc: "output of iperf3, as text or JSON (-J), one or more runs per file",
		Read: runsOf(readIperf3), Fails: `^iperf3: `,
		Marks: either(lineLike("a header `[ ID] Interval  Transfer  Bitrate`",
			`^\[ *ID\](?:\[Role\])? Interval +Transfer +(?:Bitrate|Bandwidth)`).without(iperf2),
			jsonLike("JSON with `iperf 3`", `\{`, "start", "end", "intervals", "system_info"))}
}

// iperf2 is a line of iperf 2, which has the same header and other lines below it.
const iperf2 = `^(?:Client connecting to .*|Server listening on) (?:TCP|UDP) port [0-9]`

// iperfRun is one run. Rates are in B/s.
type iperfRun struct {
	bare                // of outcomes: TCP sends again what was lost, and losses of UDP are a result
	protocol     string // TCP, UDP, SCTP; "": not stated
	reverse      bool
	streams      float64
	sent         float64
	received     *float64 // nil: not stated
	retransmits  *float64 // nil: not stated
	jitter, lost float64  // s, and datagrams
	datagrams    float64
	target       *float64 // bits/s that each stream was to send, 0 without a limit; nil: not stated
	seconds      float64
	rates        []Rated
	means        []Meant
	broken       string
}

func readIperf3(out []byte, b Bounds) ([]iperfRun, error) {
	asJSON := func(out []byte, b Bounds) ([]iperfRun, error) {
		return documents(b, out, b.Items, iperfReport.run)
	}
	runs, err := jsonOrText(out, b, asJSON, readIperfText, "results of iperf3", "keep what it prints to its end")
	for _, r := range runs {
		if strings.HasPrefix(r.broken, iperfBidir) {
			return nil, errors.New(r.broken)
		}
	}
	return runs, err
}

// iperfBidir begins the error for runs in both directions.
const iperfBidir = "iperf3 --bidir is not read"

// iperfSum is a sum of the JSON.
type iperfSum struct {
	Seconds     float64  `json:"seconds"`
	Bytes       float64  `json:"bytes"`
	Bits        float64  `json:"bits_per_second"`
	Retransmits *float64 `json:"retransmits"`
	Jitter      float64  `json:"jitter_ms"`
	Lost        float64  `json:"lost_packets"`
	Packets     float64  `json:"packets"`
	Omitted     bool     `json:"omitted"`
	Sender      *bool    `json:"sender"`
}

// rated returns the rate of a sum beside its bytes and time.
func (s iperfSum) rated(of string) Rated {
	return Rated{Of: of, Rate: s.Bits / 8, Count: s.Bytes, Seconds: s.Seconds, Slack: rounded(s.Seconds, 1e-3, 0.01)}
}

// iperfReport is the part of the JSON that we use.
type iperfReport struct {
	Start struct {
		Test struct {
			Protocol string   `json:"protocol"`
			Streams  float64  `json:"num_streams"`
			Reverse  float64  `json:"reverse"`
			Both     float64  `json:"bidir"`
			Omit     float64  `json:"omit"`
			Target   *float64 `json:"target_bitrate"` // since 3.11
		} `json:"test_start"`
		Target *float64 `json:"target_bitrate"` // of TCP before
	} `json:"start"`
	Intervals []struct {
		Sum iperfSum `json:"sum"`
	} `json:"intervals"`
	End struct {
		Sum      *iperfSum `json:"sum"` // of UDP
		Sent     *iperfSum `json:"sum_sent"`
		Received *iperfSum `json:"sum_received"`
		Both     *iperfSum `json:"sum_sent_bidir_reverse"`
	} `json:"end"`
	Error string `json:"error"`
}

func (d iperfReport) run() []iperfRun {
	t := d.Start.Test
	r := iperfRun{protocol: t.Protocol, reverse: t.Reverse > 0, streams: t.Streams,
		target: cmp.Or(t.Target, d.Start.Target)}
	if d.End.Both != nil || t.Both > 0 {
		r.broken = iperfBidir + "\nhint: run each direction by itself, one with -R"
		return []iperfRun{r}
	}
	if d.Error != "" {
		r.broken = "iperf3 ended early: " + Brief(d.Error)
	}
	if s := d.End.Sent; s != nil {
		r.sent, r.retransmits, r.seconds = s.Bits/8, s.Retransmits, s.Seconds
		r.rates = append(r.rates, s.rated("bytes sent"))
		bytes := 0.0
		for _, i := range d.Intervals {
			if !i.Sum.Omitted && (i.Sum.Sender == nil || *i.Sum.Sender) {
				bytes += i.Sum.Bytes
			}
		}
		if !r.reverse {
			r.means = append(r.means, Meant{Of: "all bytes sent", Stated: s.Bytes, Follows: bytes, Unit: "B",
				Slack: 0.02 + 2/max(1, s.Seconds)/10})
		}
	}
	if s := d.End.Received; s != nil {
		received := s.Bits / 8
		r.received = &received
		r.rates = append(r.rates, s.rated("bytes received"))
	}
	if s := d.End.Sum; s != nil && r.protocol == "UDP" {
		if d.End.Sent == nil && d.End.Received == nil { // versions before 3.2 state what was sent, and what of it was lost
			r.sent, r.seconds = s.Bits/8, s.Seconds
			received := r.sent * (1 - s.Lost/max(1, s.Packets))
			r.received, r.rates = &received, append(r.rates, s.rated("bytes sent"))
		}
		r.jitter, r.lost, r.datagrams = s.Jitter*1e-3, s.Lost, s.Packets
	}
	return []iperfRun{r}
}

// iperfText reads the text of iperf3 3.1 to 3.19 line by line.
type iperfText struct {
	connects, header, total *regexp.Regexp

	runs  []iperfRun
	begun bool // a run has no header yet
	both  bool // it has both directions
	back  bool // from the server
	its   bool // the server's output of the same run follows (--get-server-output)
	rule  bool // the last line was one of hyphens, as above the sums at the end
	ends  bool // the lines below are these sums
}

func readIperfText(out []byte, b Bounds) ([]iperfRun, error) {
	r := iperfText{
		connects: regexp.MustCompile(`^(?:Connecting to host |Accepted connection from )`),
		header:   regexp.MustCompile(`^\[ *ID\](\[Role\])? Interval +Transfer +(?:Bitrate|Bandwidth)(.*)$`),
		total: regexp.MustCompile(`^\[ *(SUM|[0-9]+)\] +([0-9.]+)-([0-9.]+) +sec +([0-9.]+) ([KMGT]?)Bytes +([0-9.]+) ` +
			`([KMGT]?)(bits|Bytes)/sec +(.*?) *(sender|receiver)?$`),
	}
	err := b.scan(out, `(?:sender|receiver)$`, r.line)
	for _, run := range r.runs {
		if run.sent == 0 && run.received == nil && run.broken == "" {
			return nil, noRuns("iperf3 ended without a sum of sender and receiver\nhint: keep what the client prints to its end")
		}
	}
	return r.runs, err
}

// line takes a line; false if it is not known.
func (r *iperfText) line(line string) bool {
	below := r.rule
	r.rule = strings.HasPrefix(line, "- - - ")
	switch {
	case r.its && line != iperfDone && !strings.HasPrefix(line, "Connecting to host "):
		return true
	case line == iperfServer || line == iperfDone:
		r.its = line == iperfServer
		return true
	case r.connects.MatchString(line):
		r.begun, r.back, r.both, r.its = true, false, false, false
		return true
	case strings.HasPrefix(line, "Reverse mode"):
		r.back = true
		return true
	}
	if m := r.header.FindStringSubmatch(line); m != nil {
		r.ends = below
		r.head(m[1] != "", strings.Contains(m[2], "Datagrams"))
		return true
	}
	m := r.total.FindStringSubmatch(line)
	if m == nil || len(r.runs) == 0 {
		return r.both
	}
	return m[10] == "" && !r.ends || r.runs[len(r.runs)-1].total(m)
}

// The lines between which a client repeats what its server printed of the same run.
const (
	iperfServer = "Server output:"
	iperfDone   = "iperf Done."
)

// head takes a header, which begins a run or the sums at its end.
func (r *iperfText) head(roles, udp bool) {
	r.both = r.both || roles
	if r.begun || len(r.runs) == 0 {
		r.runs, r.begun = append(r.runs, iperfRun{}), false
	}
	run := &r.runs[len(r.runs)-1]
	run.reverse, run.protocol = r.back, map[bool]string{true: "UDP", false: "TCP"}[udp]
	if r.both {
		run.broken = iperfBidir + "\nhint: run each direction by itself, one with -R"
	}
}

// total takes a line of a sender or a receiver: that of all streams, if there is one, counts alone. UDP before 3.2
// has one line for both, with the datagrams sent and lost.
func (r *iperfRun) total(m []string) bool {
	seconds := stated(m[3]) - stated(m[2])
	binary := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
	rate := stated(m[6]) * map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[m[7]] / 8
	if m[8] == "Bytes" {
		rate = stated(m[6]) * binary[m[7]]
	}
	bytes := stated(m[4]) * binary[m[5]]
	r.rates = append(r.rates, Rated{Of: "bytes of " + cmp.Or(m[10], "sender"), Rate: rate, Count: bytes,
		Seconds: seconds, Slack: rounded(seconds, 0.01, rounded(stated(m[6]), 0.01*stated(m[6]), 0.01))})
	r.seconds = max(r.seconds, seconds)
	all := m[1] == "SUM"
	lost := regexp.MustCompile(`^([0-9.]+) ms +([0-9]+)/([0-9]+) \(`).FindStringSubmatch(m[9])
	if m[10] == "" && lost == nil {
		return false
	}
	if !all && m[10] != "receiver" {
		r.streams++
	}
	if m[10] != "receiver" {
		if again := regexp.MustCompile(`^([0-9]+)`).FindString(m[9]); r.protocol != "UDP" && again != "" {
			r.retransmits = added(r.retransmits, stated(again), all)
		}
		add(&r.sent, rate, all)
	}
	switch m[10] {
	case "sender":
		return true
	case "":
		rate *= 1 - stated(lost[2])/max(1, stated(lost[3]))
	}
	r.received = added(r.received, rate, all)
	if lost != nil {
		r.jitter = max(r.jitter, stated(lost[1])*1e-3)
		add(&r.lost, stated(lost[2]), all)
		add(&r.datagrams, stated(lost[3]), all)
	}
	return true
}

// add adds the figure of a stream to a sum, or sets it to that of all.
func add(to *float64, v float64, all bool) {
	if all {
		*to = v
		return
	}
	*to += v
}

// added is add of a figure that need not be stated.
func added(to *float64, v float64, all bool) *float64 {
	if to == nil {
		to = new(float64)
	}
	add(to, v, all)
	return to
}

// Values returns what arrived, and what was lost or sent again. The rate of UDP is the one asked for, unless it has no
// limit.
func (r iperfRun) Values() ([]record.Value, error) {
	rate := r.arrived()
	switch {
	case rate > 0 && rate <= largest:
	case r.broken != "":
		return nil, errors.New(r.broken)
	case r.sent > 0:
		return nil, errors.New("iperf3 sent bytes, but its receiver got no bytes\n" +
			"hint: the output of iperf3 -s may have the cause")
	default:
		return nil, errors.New("iperf3 transferred no bytes\nhint: its standard error may have the cause")
	}
	out := Values{}
	if r.protocol == "UDP" && !r.unlimited() {
		out.add("jitter", "s", record.Lower, r.jitter)
		out.add(record.Throughput, "B/s", record.Neutral, rate)
	} else {
		out.add(record.Throughput, "B/s", record.Higher, rate)
		out.add("jitter", "s", record.Lower, r.jitter)
	}
	out.count("lost", "%", 100*r.lost/r.datagrams, r.datagrams > 0)
	if r.retransmits != nil {
		out.count("retransmits", "op", *r.retransmits, true)
	}
	return out, nil
}

// arrived returns the rate of the receiver, or the sender's if it is not stated.
func (r iperfRun) arrived() float64 {
	if r.received != nil {
		return *r.received
	}
	return r.sent
}

// asked returns the rate that all streams were to have together, B/s; 0 without a limit, or if it is not stated.
func (r iperfRun) asked() float64 {
	if r.target == nil {
		return 0
	}
	return *r.target / 8 * max(1, r.streams)
}

// unlimited reports whether streams were to send what they can.
func (r iperfRun) unlimited() bool { return r.target != nil && *r.target == 0 }

// Account returns the rates beside the bytes and the times, and what was to be sent. Datagrams of UDP that are lost
// were offered and not done.
func (r iperfRun) Account() Account {
	out := Account{Rates: r.rates, Means: r.means, Broken: r.broken}
	if r.received == nil {
		out.Doubts = []string{"the rate of the receiver is missing here: throughput is the sender's"}
	}
	switch asked := r.asked(); {
	case r.protocol != "UDP" || r.datagrams == 0:
		out.Asked, out.Reached, out.Unit = asked, r.arrived(), "B/s"
	case asked > 0 && r.sent > 0:
		out.Offered, out.Handled = r.datagrams*asked/r.sent, r.datagrams-r.lost
	case !r.unlimited():
		out.Offered, out.Handled = r.datagrams, r.datagrams-r.lost
		out.Doubts = append(out.Doubts, "the rate that was asked for (-b) is missing here, so that nothing shows whether it "+
			"was reached: use -J of iperf3 3.11 or later")
	}
	return out
}

// Params returns the protocol, the direction and the rate that was asked for.
func (r iperfRun) Params() record.Params {
	out := record.Params{"direction": "to the server"}
	if r.reverse {
		out["direction"] = "from the server"
	}
	if r.protocol != "" {
		out["protocol"] = r.protocol
	}
	if r.asked() > 0 {
		out["target_bitrate"] = strconv.FormatFloat(*r.target, 'f', -1, 64)
	}
	return out
}

// Load returns the streams.
func (r iperfRun) Load() (record.LoadPoint, error) {
	if r.streams < 1 || r.streams > mostClients {
		return record.LoadPoint{}, noLoad("iperf3's streams are missing here\nhint: set them with --load N (iperf3 -P)")
	}
	return Counted(r.streams, record.ParamClients, false)
}

// Timeline returns the duration.
func (r iperfRun) Timeline() timeline { return timeline{DurationS: r.seconds} }
