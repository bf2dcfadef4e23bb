package record

import (
	"fmt"
	"slices"
	"testing"
)

func TestCPUList(t *testing.T) {
	for text, want := range map[string][]int{"": nil, "3": {3}, "0-2,8": {0, 1, 2, 8}, "7\n": {7},
		"0,2-3,5-5": {0, 2, 3, 5}, "8,0-1,1": {0, 1, 8}} {
		got, err := ParseCPUList(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"a", "3-1", "-1", "1-", "1;2", "70000", "1,,2", "0-99999999999", "0-65535,0-65535"} {
		if got, err := ParseCPUList(text); err == nil {
			t.Errorf("%q gives %v", text, got)
		}
	}
	if got := FormatCPUList([]int{8, 2, 1, 0}); got != "0-2,8" {
		t.Errorf("written as %q", got)
	}
}

func FuzzCPUList(f *testing.F) {
	f.Add("0-17,36-53")
	f.Fuzz(func(t *testing.T, text string) {
		cpus, err := ParseCPUList(text)
		if err != nil {
			return
		}
		again, err := ParseCPUList(FormatCPUList(cpus))
		if !slices.IsSorted(cpus) || len(slices.Compact(slices.Clone(cpus))) != len(cpus) {
			t.Errorf("%v has repeats or no order", cpus)
		}
		if err != nil || !slices.Equal(cpus, again) {
			t.Fatalf("%q: %v, then %v (%v)", text, cpus, again, err)
		}
	})
}

// skylake is two sockets of four threads on two cores each, numbered as Linux does.
func skylake(allowed ...int) CPU {
	return CPU{Allowed: allowed, SocketCPUs: []string{"0-1,4-5", "2-3,6-7"}}
}

func TestOneSocket(t *testing.T) {
	for _, c := range []struct {
		cpu  CPU
		want string
	}{
		{skylake(0, 1, 2, 3, 4, 5, 6, 7), "[0 1 4 5]"},
		{skylake(1, 2, 3), "[2 3]"},
		{CPU{Allowed: []int{0, 1}}, "[0 1]"},
		{CPU{Allowed: []int{0, 1}, SocketCPUs: []string{"?"}}, "[0 1]"},
	} {
		if got := fmt.Sprint(c.cpu.OneSocket()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.cpu, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	coresFirst := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if got := fmt.Sprint(skylake(coresFirst...).Spread(coresFirst)); got != "[0 2 1 3 4 6 5 7]" {
		t.Errorf("two sockets: %s", got)
	}
	if got := fmt.Sprint(CPU{}.Spread(coresFirst)); got != fmt.Sprint(coresFirst) {
		t.Errorf("unknown sockets: %s", got)
	}
}
