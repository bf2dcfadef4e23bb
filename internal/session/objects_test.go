package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestObjectsAreBounded: an object of three bytes takes hundreds of memory, so that lines of them are refused before they are
// decoded, and plans beyond a number of objects in all.
func TestObjectsAreBounded(t *testing.T) {
	machine, err := encode(kindMachine, machineNamed("a", "1"))
	must(t, err)
	line := func(kind, rest string) []byte { return seal([]byte(opening + kind + `",` + rest)) }
	many := func(what string, n int) string { return strings.TrimSuffix(strings.Repeat(what+",", n), ",") }
	cells := many(`{"workload":"w","params":{},"load":{"kind":"closed"}}`, 50_000)
	var plans [][]byte
	for n := range 9 {
		plans = append(plans, line(kindPlan, fmt.Sprintf(`"hash":"%d","plan":{"cells":[%s]}`, n, cells)))
	}
	for name, c := range map[string]struct {
		lines [][]byte
		plans int
		want  string // in a problem; "": there is none
	}{
		"empty cells":  {[][]byte{line(kindPlan, `"hash":"h","plan":{"cells":[`+many("{}", 2<<20)+`]}`)}, 0, "objects in"},
		"null cells":   {[][]byte{line(kindPlan, `"hash":"h","plan":{"cells":[`+many("null", 1<<20)+`]}`)}, 0, "objects in"},
		"empty values": {[][]byte{line(kindTrial, `"id":"t","keys":{},"values":[`+many("{}", 2<<20)+`]`)}, 0, "objects in"},
		"cells":        {plans[:2], 2, ""},
		"many plans":   {plans, 6, "over 1048576 objects"},
		"a plan again": {slices.Repeat(plans[:1], 9), 1, ""},
	} {
		log, err := readOpen(t.Context(), name, bytes.NewReader(bytes.Join(append([][]byte{machine}, c.lines...), nil)))
		must(t, err)
		said := fmt.Sprint(log.Problems)
		if len(log.Plans) != c.plans || c.want == "" != (len(log.Problems) == 0) || !strings.Contains(said, c.want) {
			t.Errorf("%s: %d plans, %.300s; want %d and %q", name, len(log.Plans), said, c.plans, c.want)
		}
	}
	if err := crowded(bytes.Repeat([]byte("{}"), fewBytes/2)); err != nil {
		t.Errorf("a short line: %v", err)
	}
}
