// Command linecheck holds what `plimsoll show --json` states of a single search for a load line to the probes in its
// session, which it reads by itself: it knows nothing of how lines are searched for.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "linecheck:", err)
		os.Exit(2)
	}
}

// run prints one line: what is stated (limit, bracket, least, below or none), from where, to where, at which load, and
// "supported" or the objections, with tabs between.
func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("linecheck", flag.ContinueOnError)
	statistic := flags.String("statistic", "p99", "of latency")
	limit := flags.Duration("limit", 20*time.Millisecond, "of that statistic")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("give one session, and what plimsoll show --json prints of it on standard input")
	}
	log, err := session.ReadContext(context.Background(), flags.Arg(0))
	if err != nil {
		return err
	}
	var shown document
	if err := json.NewDecoder(in).Decode(&shown); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	s := shown.statement(*statistic)
	verdict := "supported"
	if objections := s.against(probesOf(log.Trials, *statistic), limit.Seconds()); len(objections) > 0 {
		verdict = strings.Join(objections, "; ")
	}
	_, err = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", s.kind, rate(s.lo), rate(s.hi), rate(s.at), verdict)
	return err
}

func rate(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}

// probesOf returns the open loads of a search, by a statistic of latency.
func probesOf(trials []record.Trial, statistic string) []probe {
	var out []probe
	for _, t := range trials {
		if t.Load.Kind != record.Open || t.Probe == 0 && t.Confirms == "" {
			continue
		}
		p := probe{load: t.Load.Level, over: t.Over, fresh: t.Confirms != ""}
		if v, ok := t.Value(record.Latency + "_" + statistic); ok && t.Void == "" {
			p.latency = v.Value
		}
		if t.Generator != nil {
			p.late, p.few = t.Generator.LateAt(statistic), statistic == "p99" && t.Generator.Done < 33
		}
		out = append(out, p)
	}
	return out
}
