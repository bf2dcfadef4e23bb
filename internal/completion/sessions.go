package completion

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/block"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/list"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
	"plimsoll/internal/trialset"
)

// maxRead is the size of the sessions up to which they are read while somebody waits for a completion.
const maxRead = 64 << 20

// sessions completes the names of session files.
func sessions(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	return withExtension("jsonl")(cmd, args, toComplete)
}

// read returns the sessions on a command line; false if there are none, or they are too large to wait for.
func read(ctx context.Context, paths []string) (*session.Log, bool) {
	size := int64(0)
	for _, path := range paths {
		st, err := os.Stat(path)
		if err != nil || !st.Mode().IsRegular() {
			return nil, false
		}
		size += st.Size()
	}
	if len(paths) == 0 || size > maxRead {
		return nil, false
	}
	if ctx == nil {
		ctx = context.Background()
	}
	log, err := session.ReadContext(ctx, paths...)
	return log, err == nil
}

// axes completes --by: what the sessions on the line can be compared by, with the sides.
func (k Known) axes(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	general := []string{record.KeyMachine, axis.ByFile, trialset.ByType}
	log, ok := read(cmd.Context(), args)
	if !ok {
		return general, names
	}
	var out []string
	for _, by := range slices.Concat(axis.All(log.Trials, log.Plans), general) {
		levels := axis.LevelsOf(by, log.Trials, log.Plans)
		if by = cobra.CompletionWithDesc(block.Clean(by), block.Clean(strings.Join(levels, ", "))); len(levels) > 1 &&
			!slices.Contains(out, by) {
			out = append(out, by)
		}
	}
	return out, names
}

// sides completes --baseline: the sides of the comparison on the line.
func (k Known) sides(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	log, ok := read(cmd.Context(), args)
	if !ok {
		return nil, names
	}
	by, err := cmd.Flags().GetString("by")
	if err == nil && by != "" {
		by, err = axis.InFull(by, log.Trials)
	}
	if err != nil {
		return nil, names
	}
	if by == "" {
		by = axis.Default(log.Trials, log.Plans)
	}
	return list.Map(axis.LevelsOf(by, log.Trials, log.Plans), block.Clean), names
}

// conditions completes --fail-if: of each metric in the sessions on the line that it gets worse by 2 %.
func (k Known) conditions(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	log, ok := read(cmd.Context(), args)
	if !ok {
		return nil, names
	}
	var out []string
	for _, t := range log.Trials {
		for _, v := range t.Values {
			c := block.Clean(v.Name) + "<-2%"
			if v.Better == record.Lower {
				c = block.Clean(v.Name) + ">2%"
			}
			if v.Better != record.Neutral && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out, names
}
