package trialset

import (
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// StatementPrefix begins the names of metrics of single statements: statement_NUMBER_WORD.
const StatementPrefix = "statement_"

// longestStatement bounds the text of a statement in a sentence.
const longestStatement = 100

// StatementName returns a statement's number with its text, or with its first word if the trials do not hold the
// script.
func StatementName(metric string, trials []record.Trial) string {
	number, word, _ := strings.Cut(strings.TrimPrefix(metric, StatementPrefix), "_")
	n, err := strconv.Atoi(number)
	if err != nil { // of several scripts
		return strings.ReplaceAll(strings.TrimPrefix(metric, StatementPrefix), "_", " ")
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
