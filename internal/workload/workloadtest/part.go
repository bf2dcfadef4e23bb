package workloadtest

import (
	"fmt"
	"os"
	"os/exec"
)

// Exit ends a process of the test binary that is one part of a benchmark.
func Exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Metered runs a command, without the variable that made this process a meter, and prints the command's CPU seconds.
func Metered(args []string, variable string) error {
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), variable+"=")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return err
	}
	fmt.Printf("cpu %.6f\n", (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
	return nil
}
