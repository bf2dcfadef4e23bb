package loadline

import (
	"strings"
	"testing"
)

// TestAlarmsByNoise: CPU use that falls as the load rises is no threshold, and is said to be noise, once; that which
// rises is one.
func TestAlarmsByNoise(t *testing.T) {
	line := func(cpu ...float64) Line {
		l := Line{MaxSustained: 1000}
		for i, c := range cpu {
			l.Probes = append(l.Probes, Probe{Value: float64(200 * (i + 1)), CPU: &c})
		}
		return l
	}
	noisy := line(30, 45, 25, 40, 90)
	noisy.SetAlarms(.85)
	noisy.SetAlarms(.85)
	if len(noisy.Alarms) != 3 || len(noisy.Doubts) != 1 || !strings.Contains(noisy.Doubts[0].Text(), "falls between "+
		"alarms as the load rises (") {
		t.Fatalf("%+v, %v", noisy.Alarms, noisy.Doubts)
	}
	for _, a := range noisy.Alarms {
		if a.CPU != nil || !(a.Share > 0) {
			t.Errorf("%+v", a)
		}
	}
	sound := line(20, 35, 50, 70, 95)
	sound.SetAlarms(.85)
	if len(sound.Doubts) != 0 || sound.Alarms[0].CPU == nil || *sound.Alarms[0].CPU >= *sound.Alarms[2].CPU {
		t.Errorf("%+v, %v", sound.Alarms, sound.Doubts)
	}
}
