package execload

import "plimsoll/internal/workload"

// command is the way to type one's own commands; the further flags are hyperfine's.
func command() workload.Command {
	return workload.Command{
		Arguments: "COMMAND… | -- PROGRAM [ARGUMENT…]",
		Take:      take,
		Greedy:    true,
		Warmups:   paramWarmups,
		Flags: []workload.Flag{
			{Name: "ignore-failure", Short: "i", Param: paramAnyStatus}, {Name: "conclude", Param: paramCleanup},
		},
		Examples: []workload.Example{
			{Command: "run exec './old input.csv' './new input.csv' --warmup 1", Doc: "two commands, their runs by turns, each after an unmeasured one"},
			{Command: "run exec './build.sh' --prepare 'make clean' --replicates 10", Doc: "ten runs, each after a command that is not measured"},
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
