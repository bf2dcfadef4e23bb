package judge

import (
	"math"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// memoryWorkload is the workload whose figures are a machine's memory bandwidth.
const memoryWorkload = "memory"

// reach is where a load meets a machine's memory: bandwidth at one number of
// CPUs, or of one socket, says nothing of it at another.
type reach struct {
	machine string
	cpus    int // 0 where the load counts none
	one     bool
}

func reachOf(t record.Trial) reach {
	one := t.Keys[workloadOf(t)+"."+record.ParamSockets] == record.SocketsOne
	return reach{t.Keys[record.KeyMachine], cpusOf(t), one}
}

// ceiling is the cell of workload memory that moved the most at a load.
type ceiling struct {
	trials  []record.Trial
	metric  string
	traffic float64
}

// ceilingsOf leaves out cells whose arrays lay in the caches, even in part: what they
// moved is no bound of memory.
func ceilingsOf(trials []record.Trial) map[reach]ceiling {
	out := map[reach]ceiling{}
	order, cells := grouped(trials, func(t record.Trial) place { return placeOf(t, "", nil) })
	for _, p := range order {
		ok := valid(cells[p])
		regime := common(ok, record.KeyRegime)
		if p.workload != memoryWorkload || len(ok) == 0 || cpusOf(ok[0]) == 0 || regime == record.RegimeCache || regime == record.RegimeBetween {
			continue
		}
		c := ceiling{trials: ok, metric: trafficOf(ok)}
		if c.traffic = Average(valuesOf(ok, c.metric)); c.traffic > out[reachOf(ok[0])].traffic {
			out[reachOf(ok[0])] = c
		}
	}
	return out
}

// trafficOf is the metric that states memory traffic; throughput is the same
// in sessions that were written before there was one.
func trafficOf(memory []record.Trial) string {
	if len(having(memory, record.MemoryTraffic)) > 0 {
		return record.MemoryTraffic
	}
	return record.Throughput
}

func (c ceiling) name() string {
	text := memoryWorkload
	if op := c.trials[0].Keys[memoryWorkload+".op"]; op != "" {
		text += " " + op
	}
	if cpusOf(c.trials[0]) == 1 {
		return text + " at 1 cpu"
	}
	return text + " at " + record.LoadText(loadOf(c.trials[0]))
}

// share is what of the ceiling the trials took; nil where they do not state
// their traffic or have their working set in cache. The doubt says where it cannot be.
func (c ceiling) share(trials []record.Trial) (m *MemoryBandwidthShare, doubt note.Note) {
	trials = having(trials, record.MemoryTraffic)
	if c.traffic == 0 || len(trials) == 0 || workloadOf(trials[0]) == memoryWorkload || common(trials, record.KeyRegime) == record.RegimeCache {
		return nil, note.Note{}
	}
	took, moved := valuesOf(trials, record.MemoryTraffic), valuesOf(c.trials, c.metric)
	r := stat.WelchRatio(stat.Logs(moved), stat.Logs(took), stat.Opts{Boundary: stat.Fixed(Alpha), SDFloor: stat.SDFloor})
	if math.IsNaN(r.Mean) {
		return nil, note.Note{}
	}
	t := FromLogs(r, r.N)
	m = &MemoryBandwidthShare{Share: t.Value, Lo: t.Lo, Hi: t.Hi, Traffic: Average(took), Ceiling: c.traffic, Of: c.name()}
	if t.Lo != nil && *t.Lo > 1 {
		doubt = note.New("over-memory-ceiling", t.Value, m.Of)
	}
	return m, doubt
}
