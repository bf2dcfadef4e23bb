package pgbench

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/database"
)

func TestCheckFault(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{}, ""},
		{record.Params{paramFault: "kill@50%", database.ParamStandby: database.StandbySync}, ""},
		{record.Params{paramFault: "kill@50%", database.ParamStandby: database.StandbyAsync}, ""},
		{record.Params{paramFault: "kill@50%"}, "standby=off leaves no standby to promote"},
		{record.Params{paramFault: "add@50%", database.ParamStandby: database.StandbySync}, "is no fault: kill@P%"},
		{record.Params{paramFault: "kill@20%,kill@50%", database.ParamStandby: database.StandbySync}, "has kill twice"},
		{record.Params{paramFault: "kill@50%", database.ParamStandby: database.StandbySync, paramScript: scriptSimple},
			"needs script=tpcb-like"},
	} {
		p := values(c.set)
		program, err := programOf(p)
		if err != nil {
			t.Fatal(err)
		}
		err = checkFault(p, program)
		if (err == nil) != (c.want == "") || err != nil &&
			(!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "\nhint: ")) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

// TestLost: a row that nobody was told of does not stand for one that was acknowledged and is not there.
func TestLost(t *testing.T) {
	row := func(tid string) uint64 { return markOf([][]byte{[]byte(tid), []byte("1"), []byte("2"), []byte("-3")}) }
	if row("1") == row("2") || markOf([][]byte{[]byte("1"), []byte("12")}) == markOf([][]byte{[]byte("11"), []byte("2")}) {
		t.Error("different rows are the same")
	}
	for name, c := range map[string]struct {
		there        map[uint64]int64
		rows         int64
		acknowledged []uint64
		unsure, want int64
		others       bool
		fails        bool
	}{
		"all there": {map[uint64]int64{row("1"): 2, row("2"): 1}, 3, []uint64{row("1"), row("2"), row("1")}, 0, 0,
			false, false},
		"one more, as may be": {map[uint64]int64{row("1"): 1, row("9"): 1}, 2, []uint64{row("1")}, 1, 0, false, false},
		"one more, of nobody": {map[uint64]int64{row("1"): 1, row("9"): 1}, 2, []uint64{row("1")}, 0, 0, false, true},
		"one lost, one more": {map[uint64]int64{row("1"): 1, row("9"): 1}, 2, []uint64{row("1"), row("2")}, 1, 1, false,
			false},
		"others left some": {map[uint64]int64{row("1"): 1, row("9"): 1}, 2, []uint64{row("1"), row("2")}, 0, 1, true,
			false},
		"one of two alike lost": {map[uint64]int64{row("1"): 1}, 1, []uint64{row("1"), row("1")}, 0, 1, false, false},
	} {
		if lost, err := lostOf(c.there, c.rows, c.acknowledged, c.unsure, !c.others); lost != c.want ||
			(err != nil) != c.fails {
			t.Errorf("%s: %d, %v", name, lost, err)
		}
	}
	d := driver{params: values(record.Params{database.ParamStandby: database.StandbySync}), lost: 1}
	if err := d.noneLost(); err == nil {
		t.Error("a synchronous standby may lose what was acknowledged")
	}
	if d.params = values(record.Params{database.ParamStandby: database.StandbyAsync}); d.noneLost() != nil {
		t.Error("an asynchronous standby may not")
	}
}
