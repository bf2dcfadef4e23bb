package explain

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// statementPrefix begins the names of metrics of single statements: statement_NUMBER_WORD.
const statementPrefix = "statement_"

// statementDetails returns the statements of a script whose mean time differs, by the measured trials.
func statementDetails(s sides) []Detail {
	of := map[string]amounts{}
	whole := amounts{make([]float64, len(s.measuredA)), make([]float64, len(s.measuredB))}
	if min(len(whole.a), len(whole.b)) < estimate.MinReplicates {
		return nil
	}
	for _, m := range trialset.MetricsOf(s.measuredA, s.measuredB) {
		v := amounts{trialset.ValuesOf(s.measuredA, m.Name), trialset.ValuesOf(s.measuredB, m.Name)}
		if !strings.HasPrefix(m.Name, statementPrefix) || len(v.a) != len(whole.a) || len(v.b) != len(whole.b) {
			continue
		}
		of[m.Name] = v
		whole.plus(v)
	}
	var out []Detail
	for name, v := range of {
		if v.diff()*whole.diff() <= 0 || v.diff()/whole.diff() < leastDetail {
			continue
		}
		d := stat.DifferenceOf(v.a, v.b, s.measuredPaired, stat.SDFloor*whole.largest())
		p := math.Min(1, d.P()*float64(len(of)))
		if p > explainAlpha {
			continue
		}
		a, b := v.means()
		x := Detail{Kind: DetailStatement, Name: statementName(name, s.measuredA), A: a, B: b, Diff: d.Mean, P: p,
			Share: v.diff() / whole.diff()}
		if iv := d.Interval(explainAlpha); !math.IsInf(iv.Lo, 0) {
			x.Lo, x.Hi = &iv.Lo, &iv.Hi
		}
		out = append(out, x)
	}
	sortDetails(out)
	return out[:min(len(out), mostDetails)]
}

func (v amounts) plus(other amounts) {
	for i := range v.a {
		v.a[i] += other.a[i]
	}
	for i := range v.b {
		v.b[i] += other.b[i]
	}
}

// longestStatement bounds the text of a statement in a sentence.
const longestStatement = 100

// statementName returns a statement's number with its text, or with its first word if the trials do not hold the
// script.
func statementName(metric string, trials []record.Trial) string {
	number, word, _ := strings.Cut(strings.TrimPrefix(metric, statementPrefix), "_")
	n, err := strconv.Atoi(number)
	if err != nil { // of several scripts
		return strings.ReplaceAll(strings.TrimPrefix(metric, statementPrefix), "_", " ")
	}
	text := word
	for key, script := range trials[0].Keys {
		if all := statementsOf(script); strings.HasSuffix(key, ".script") && n >= 1 && n <= len(all) &&
			strings.HasPrefix(strings.ToLower(all[n-1]), word) {
			text = all[n-1]
		}
	}
	if runes := []rune(text); len(runes) > longestStatement {
		text = string(runes[:longestStatement-1]) + "…"
	}
	if text == "" {
		return number
	}
	return number + " (" + text + ")"
}

// statementsOf returns the statements of a script's text, without the commands to the client.
func statementsOf(script string) []string {
	var lines []string
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, `\`) && !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	all := strings.Split(strings.Join(lines, " "), ";")
	for i, s := range all {
		all[i] = strings.Join(strings.Fields(s), " ")
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}
