package reader

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/record"
)

// Hyperfine is the format of hyperfine --export-json.
const Hyperfine = "hyperfine"

// HyperfineTool reads the output of hyperfine.
func HyperfineTool() Tool {
	return Tool{Name: Hyperfine, Doc: "output of hyperfine --export-json, one replicate per run of the command",
		Read: readHyperfine, Assumed: record.LoadPoint{Kind: record.Once, Level: 1},
		Marks: jsonLike("JSON with `results` of a `command`", `\{\s*"results"\s*:\s*\[`, "command", "times")}
}

// hyperfineResult is one command of an export of hyperfine 1.8 or later.
type hyperfineResult struct {
	Command    string            `json:"command"`
	Mean       float64           `json:"mean"`  // s
	Times      []float64         `json:"times"` // s, in the order run
	ExitCodes  []*int            `json:"exit_codes"`
	Parameters map[string]string `json:"parameters"`
}

// hyperfineRun is one run of a command.
type hyperfineRun struct {
	bare
	command    string
	same       int // which of those of one export that it is named like; 0: it is the only one
	parameters map[string]string
	s          float64
	exit       string // why it failed; "" if it did not
}

// readHyperfine reads the runs of all commands.
func readHyperfine(text []byte, b Bounds) ([]Run, error) {
	var export struct {
		Results []hyperfineResult `json:"results"`
	}
	if err := sparse(text, b.Items); err != nil {
		return nil, fmt.Errorf("%w\nhint: hyperfine --runs 1000 is more than enough", err)
	}
	if err := json.Unmarshal(text, &export); err != nil || len(export.Results) == 0 {
		return nil, fmt.Errorf("no hyperfine output in %s\nhint: use the file of hyperfine --export-json FILE", Excerpt(text))
	}
	var out []Run
	var zero []string
	numbers := sameCommands(b, export.Results)
	for at, result := range export.Results {
		if len(result.Times) == 0 {
			b.leave(Brief(result.Command) + " is left out: it has no times")
			continue
		}
		if at := slices.IndexFunc(result.Times, func(s float64) bool { return !(s > 0) }); at >= 0 {
			b.leave(fmt.Sprintf("%s is left out: its run %d took %g s, since hyperfine subtracts the start of its shell, which "+
				"takes longer than the command (use hyperfine -N)", Brief(result.Command), at+1, result.Times[at]))
			zero = append(zero, result.Command)
			continue
		}
		if err := result.agrees(); err != nil {
			return nil, err
		}
		for i, s := range result.Times {
			out = append(out, hyperfineRun{bare{}, result.Command, numbers[at], result.Parameters, s, result.failure(i)})
		}
	}
	switch {
	case len(out) == 0 && len(zero) == 0:
		return nil, errors.New("no command of hyperfine has times\nhint: use the file of hyperfine --export-json FILE")
	case len(out) == 0:
		return nil,
			fmt.Errorf("a run of %s has a time that is not a positive number of seconds: hyperfine subtracts the start "+
				"of its shell, which takes longer than the command\nhint: hyperfine -N runs it without a shell", Brief(zero[0]))
	}
	return out, nil
}

// sameCommands numbers the commands of an export that have one name and one set of parameters: they are sides, such as
// of --prepare, and no repetitions. The others have no number.
func sameCommands(b Bounds, results []hyperfineResult) []int {
	of := func(r hyperfineResult) string { return fmt.Sprintf("%q %q", r.Command, r.Parameters) }
	all, seen := map[string]int{}, map[string]int{}
	for _, r := range results {
		all[of(r)]++
	}
	var out []int
	for _, r := range results {
		if all[of(r)] == 1 {
			out = append(out, 0)
			continue
		}
		if seen[of(r)]++; seen[of(r)] == 1 {
			b.leave(fmt.Sprintf("%d commands are named %s: the parameter result tells them apart (hyperfine -n names them)",
				all[of(r)], Brief(r.Command)))
		}
		out = append(out, seen[of(r)])
	}
	return out
}

// hyperfineSlack is by how much the mean that is stated may differ from that of the times, which it is.
const hyperfineSlack = 0.01

// agrees returns an error if the mean is not that of the times.
func (r hyperfineResult) agrees() error {
	return Meant{Of: Brief(r.Command), Stated: r.Mean, Follows: sum(r.Times) / float64(len(r.Times)), Unit: "s",
		Slack: hyperfineSlack}.Contradiction()
}

// failure returns how a run failed, by its exit code, which is null if a signal ended it; "" if it succeeded.
func (r hyperfineResult) failure(run int) string {
	switch {
	case run >= len(r.ExitCodes):
		return ""
	case r.ExitCodes[run] == nil:
		return "signal"
	case *r.ExitCodes[run] != 0:
		return fmt.Sprintf("exit %d", *r.ExitCodes[run])
	}
	return ""
}

// Outcomes returns those of one operation.
func (r hyperfineRun) Outcomes() record.LoadUse {
	if r.exit != "" {
		return outcomes(0, map[string]float64{r.exit: 1})
	}
	return record.LoadUse{}
}

func (r hyperfineRun) Values() ([]record.Value, error) {
	if !(r.s > 0) || r.s > largest {
		return nil, errors.New("a time that is not a positive number of seconds")
	}
	return []record.Value{{Metric: record.Metric{Name: "time", Unit: "s", Better: record.Lower}, Value: r.s}}, nil
}

// Params returns the command and the scanned parameters. The workload is the format's name unless set by --workload.
func (r hyperfineRun) Params() record.Params {
	out := record.Params{}
	maps.Copy(out, r.parameters)
	if _, scanned := out["command"]; !scanned { // distinguishes its runs
		out["command"] = r.command
	}
	if r.same > 0 {
		out["result"] = strconv.Itoa(r.same)
	}
	return out
}
