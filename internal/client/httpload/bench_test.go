package httpload

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/client/load"
)

// The parts of the benchmark are processes of this test binary, so that each can be pinned, metered and traced as
// its peers are; scripts/bench-http runs them. The environment selects a process's part.
const (
	envServe   = "PLIMSOLL_HTTPBENCH_SERVE"   // listen here and answer
	envClient  = "PLIMSOLL_HTTPBENCH_CLIENT"  // load this URL
	envControl = "PLIMSOLL_HTTPBENCH_CONTROL" // send to this URL by spinning alone
	envMeter   = "PLIMSOLL_HTTPBENCH_METER"   // run the command that the arguments are, and say what CPU time it took
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(envMeter) != "":
		meter(os.Args[1:])
	case os.Getenv(envServe) != "":
		serveFixed(os.Getenv(envServe))
	case os.Getenv(envClient) != "":
		benchClient(os.Getenv(envClient))
	case os.Getenv(envControl) != "":
		benchControl(os.Getenv(envControl))
	default:
		os.Exit(m.Run())
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// number reads one of the benchmark's settings.
func number(name string, fallback int) int {
	if n, err := strconv.Atoi(os.Getenv("PLIMSOLL_HTTPBENCH_" + name)); err == nil {
		return n
	}
	return fallback
}

// benchClient loads a URL as the agent would: one lane, on a locked thread, without a collector. Its output is in
// the format that scripts/bench-http parses.
func benchClient(url string) {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(-1)
	connections, perSecond := number("CONNECTIONS", 64), number("RATE", 0)
	length := time.Duration(number("MS", 2000)) * time.Millisecond
	point := clients(connections)
	if perSecond > 0 {
		point = rate(float64(perSecond))
	}
	config, requests := Config{URLs: []string{url}, TLS: unverified()}, connections
	switch os.Getenv("PLIMSOLL_HTTPBENCH_MODE") {
	case "targets":
		config = benchTargets(url)
	case "http2":
		config.Protocol, config.Streams = HTTP2, number("STREAMS", 1)
		requests *= config.Streams
		if perSecond == 0 {
			point = clients(requests)
		}
	}
	target, err := New(config)
	check(err)
	g, err := load.New(load.Config{Load: point, Lanes: 1, Seed: 1, Duration: length})
	check(err)
	lane, err := target.NewLane(context.Background(), requests)
	check(err)
	g.Start(g.Clock().Now())
	check(lane.Run(context.Background(), g.Lane(0)))
	g.Lane(0).Leave()
	r := g.Result()
	fmt.Printf("requests %d\nrate %.0f\nerrors %d\nwaits %d\n", r.Ops, r.OpsPerSecond, errorsOf(r), lane.poll.waits)
	if r.SendLag != nil {
		printTimes("send lag", r.SendLag.ValueAtQuantile)
		control, err := load.SpinControl(length, float64(perSecond), 1)
		check(err)
		printTimes("spin-only control", control.ValueAtQuantile)
	}
}

// benchTargets are weighted requests with headers and bodies, as those of the script that wrk runs.
func benchTargets(url string) Config {
	header := []string{"Accept: application/json", "Authorization: Bearer 0123456789abcdef", "User-Agent: bench"}
	return Config{Seed: 1, Weights: []int{4, 3, 2, 1}, Requests: []Request{
		{URL: url + "a?page=1", Header: header}, {URL: url + "b", Header: header},
		{URL: url + "c", Header: header, Method: "POST", Body: []byte(strings.Repeat("x", 256))},
		{URL: url + "d", Header: header, Method: "DELETE"},
	}}
}

// printTimes prints quantiles of nanoseconds in microseconds.
func printTimes(name string, quantile func(float64) int64) {
	fmt.Printf("%s us: p50 %.1f p90 %.1f p99 %.1f p99.9 %.1f max %.1f\n", name,
		float64(quantile(50))*1e-3, float64(quantile(90))*1e-3, float64(quantile(99))*1e-3, float64(quantile(99.9))*1e-3,
		float64(quantile(100))*1e-3)
}

// meter runs a command and prints the CPU seconds of it, from its start to its end.
func meter(args []string) {
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), envMeter+"=")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	check(c.Run())
	fmt.Printf("cpu %.6f\n", (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
}

// TestBenchParts: the commands of scripts/bench-http work, and its server reports how late a schedule was met.
func TestBenchParts(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(self)
	server.Env = append(os.Environ(), envServe+"=127.0.0.1:0", "PLIMSOLL_HTTPBENCH_RATE=1000")
	says, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	port, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		server.Process.Kill()
		server.Wait()
	}()
	var n int
	if _, err := fmt.Fscanf(port, "port %d\n", &n); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(says)
	for _, c := range []struct {
		rate string
		want []string
	}{{"0", []string{"requests ", "errors 0\n", "waits ", "cpu 0."}},
		{"1000", []string{"send lag us: p50 ", "spin-only control us: p50 "}}} {
		cmd := exec.Command(self, self)
		cmd.Env = append(os.Environ(), envMeter+"=1", envClient+"="+fmt.Sprintf("http://127.0.0.1:%d/", n),
			"PLIMSOLL_HTTPBENCH_MS=200", "PLIMSOLL_HTTPBENCH_CONNECTIONS=4", "PLIMSOLL_HTTPBENCH_RATE="+c.rate)
		out, err := cmd.CombinedOutput()
		for _, want := range c.want {
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("no %q in %s, %v", want, out, err)
			}
		}
		told(t, lines)
	}
	control := exec.Command(self)
	control.Env = append(os.Environ(), envControl+"="+fmt.Sprintf("http://127.0.0.1:%d/", n), "PLIMSOLL_HTTPBENCH_MS=200",
		"PLIMSOLL_HTTPBENCH_CONNECTIONS=4")
	if out, err := control.CombinedOutput(); err != nil {
		t.Errorf("the control: %s, %v", out, err)
	}
	told(t, lines)
}

// told parses the server's report on one client.
func told(t *testing.T, lines *bufio.Scanner) {
	t.Helper()
	for _, want := range []string{"arrivals ", "late us: p50 "} {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), want) {
			t.Errorf("the server says %q, not %q", lines.Text(), want)
		}
	}
}
