package session

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// childEnv makes this binary one of the children below instead of the tests.
const childEnv = "PLIMSOLL_SESSION_CHILD"

func TestMain(m *testing.M) {
	var err error
	switch job := os.Getenv(childEnv); job {
	case "append":
		err = appendForever(os.Args[1])
	case "read":
		err = readAndCount(os.Args[1])
	case "multiply":
		if err = multiply(os.Args[1:]); err == nil {
			return
		}
	case "big":
		if _, err = writeBig(os.Args[1], 10_000, 28_000); err == nil {
			return
		}
	default:
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// appendForever writes trials as fast as it can and prints each one's ID once it is safe.
func appendForever(path string) error {
	w, err := Create(path)
	if err != nil {
		return err
	}
	if err := w.Machine(machineNamed("child", "c")); err != nil {
		return err
	}
	for n := 0; ; n++ {
		id := fmt.Sprintf("t%d", n)
		if err := addTrial(w, trialOn("child", "c", id)); err != nil {
			return err
		}
		fmt.Println(id)
	}
}

func readAndCount(path string) error {
	log, err := Read(path)
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	peak, _, _ = strings.Cut(peak, "\n")
	fmt.Printf("%d trials, VmHWM: %s\n", len(log.Trials), strings.TrimSpace(peak))
	os.Exit(0)
	return nil
}
