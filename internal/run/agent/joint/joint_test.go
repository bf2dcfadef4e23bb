package joint

import (
	"encoding/json"
	"reflect"
	"testing"

	"plimsoll/internal/workload"
)

// FuzzHeard hears anything as what a host was told: what is understood is told again in the same words.
func FuzzHeard(f *testing.F) {
	for _, command := range []string{"leave", `leave {"start_ns":1,"end_ns":2,"ops":3,"step_ns":4,"windows":[1,2]}`,
		`join {"self":1,"all":["a","b"]}`, "join {"} {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		heard[Loaded](t, command)
		heard[workload.Places](t, command)
	})
}

func heard[T any](t *testing.T, command string) {
	t.Helper()
	var first, second T
	if said, err := Heard(command, &first); !said || err != nil {
		return
	}
	again, err := Told("word", first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Heard(again, &second); err != nil || !same(first, second) {
		t.Fatalf("%+v became %+v, %v", first, second, err)
	}
}

// same compares what is told: an empty list is none.
func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}
