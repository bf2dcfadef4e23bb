package asyncprofiler

import (
	"strings"
	"testing"
)

// FuzzAttach reads anything as the status of a process and as the answer of a Java machine: errors are short, and only
// an answer of zero is none.
func FuzzAttach(f *testing.F) {
	f.Add("Name:\tjava\nPid:\t4711\nNSpid:\t4711\t7\nSigCgt:\t2000000181005ccf\n", "0\n0")
	f.Add("Pid:\t1\nSigCgt:\t0\n", "0\nreturn code: 100\n")
	f.Add("Pid: x", "101\nno library")
	f.Fuzz(func(t *testing.T, status, answer string) {
		inner, _, err := parseStatus(status)
		if err == nil && (inner < 1 || !strings.Contains(strings.ToLower(status), "pid:")) ||
			err != nil && len(err.Error()) > 1000 {
			t.Fatalf("process %d, %v", inner, err)
		}
		err = parseAnswer(answer)
		if err == nil && !strings.Contains(answer, "0") || err != nil && len(err.Error()) > 1000 {
			t.Fatalf("%v", err)
		}
	})
}
