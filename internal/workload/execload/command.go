package execload

import (
	"os"
	"strings"

	"plimsoll/internal/workload"
)

// means recognises executable files, and command lines of several words.
func means(arg string) workload.Likelihood {
	if info, err := os.Stat(arg); err == nil && info.Mode()&0o111 != 0 || strings.ContainsAny(arg, " \t") {
		return workload.Possible
	}
	return workload.Unlikely
}

// command is the way to type one's own commands; the further flags are hyperfine's.
func command() workload.Command {
	return workload.Command{
		Arguments: "COMMAND… | -- PROGRAM [ARGUMENT…]",
		Take:      take,
		Means:     means,
		Greedy:    true,
		Warmups:   paramWarmups,
		Flags: []workload.Flag{
			{Name: "ignore-failure", Short: "i", Param: paramAnyStatus}, {Name: "conclude", Param: paramCleanup},
		},
		Groups: []workload.Group{
			{Title: "command", Params: []string{
				"command", "shell", "dir", "input", "timeout", "any_status", "output_limit"}},
			{Title: "load", Params: []string{"clients", "rate", "arrivals", "pacing", "cpu_sets"}},
			{Title: "around each run", Params: []string{"prepare", "cleanup", "warmup_runs"}},
			{Title: "metric from its output", Params: []string{
				"parse", "preset", "pattern", "metric", "unit", "better"}},
		},
		Peers: []workload.Peer{
			{Flags: []string{"cmd", "program"}, Use: "--command 'PROGRAM ARGUMENT…', or plimsoll run exec 'PROGRAM ARGUMENT…'"},
			{Flags: []string{"m", "r"}, Use: "--replicates N measures N runs", As: "--replicates {value}"},
			{Flags: []string{"M"}, Use: "--max-replicates N limits the pairs of a comparison", As: "--max-replicates {value}"},
			{Flags: []string{"n", "command-name"}, Use: "--name NAME, once for each command"},
			{Flags: []string{"p"}, Use: "--prepare COMMAND", As: "--prepare {value}"},
			{Flags: []string{"w"}, Use: "--warmup N makes so many unmeasured runs", As: "--warmup {value}"},
			{Flags: []string{"L", "parameter-list", "P", "parameter-scan"},
				Use: "--vary NAME=A,B fills in {NAME} in the command"},
			{Flags: []string{"N"}, Use: "--shell=false, which is the default of a command without shell syntax",
				As: "--shell=false"},
			{Flags: []string{"S"}, Use: "--shell runs the command by sh -c", As: "--shell"},
			{Flags: []string{"s", "setup"}, Use: "--prepare COMMAND runs before each measured run"},
			{Flags: []string{"export-json", "export-csv", "export-markdown"},
				Use: "-o FILE names the session; plimsoll export and plimsoll report convert it"},
		},
		Examples: []workload.Example{
			{Command: "run exec './old input.csv' './new input.csv' --warmup 1",
				Doc: "two commands, interleaved, each after one warm-up run"},
			{Command: "run exec './build.sh' --prepare 'make clean' --replicates 10",
				Doc: "ten runs, each after a command that is not measured"},
			{Command: "run exec -- sort -n data.txt", Doc: "one command as it would be typed"},
		},
	}
}

// take returns the settings for commands: several are sides.
func take(args []string) (workload.Taken, error) {
	if len(args) > 1 {
		return workload.Taken{Vary: paramCommand, Values: args}, nil
	}
	return workload.Taken{Set: map[string]string{paramCommand: args[0]}}, nil
}
