// Package others tells which programs of a machine had its CPUs between two looks at all processes.
package others

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// Look is the CPU time of all processes at an instant.
type Look struct {
	at    time.Time
	procs map[int]procfs.ProcStat
	busy  float64 // seconds of all CPUs
	cost  float64 // CPU seconds of looking
}

// LookAt looks at all processes that this user may see.
func LookAt(root hostfs.Root) (l Look, err error) {
	cputime.OnThread(func() {
		began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		l.at = time.Now()
		if l.procs, err = procs.Stats(root); err == nil {
			l.busy, err = cputime.BusySeconds(root, nil)
		}
		ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		l.cost = ended - began
	})
	return l, err
}

// Processes returns the processes that were seen.
func (l Look) Processes() map[int]procfs.ProcStat { return l.procs }

const (
	userHZ  = 100 // ticks in a second, as Go's platforms have it
	most    = 5   // programs with a name in a trial's line
	longest = 64  // bytes of a unit's name there
)

// Between returns the programs that had CPU time between two looks, most first, without the processes ours and their
// descendants. A process that was born and ended in between is in the time of the one that waited for it.
func Between(root hostfs.Root, before, after Look, ours []int) *record.Others {
	own := map[int]bool{}
	for _, pid := range procs.Below(after.procs, ours) {
		own[pid] = true
	}
	uses, total := usesOf(before.procs, after.procs), int64(0)
	by, programs, ended := map[record.Program]int{}, []record.Program{}, []float64{}
	for pid, u := range uses {
		total += u.ticks()
		if own[pid] || u.ticks() == 0 {
			continue
		}
		p := nameOf(root, after.procs[pid])
		at, ok := by[p]
		if !ok {
			at = len(programs)
			by[p], programs, ended = at, append(programs, p), append(ended, 0)
		}
		programs[at].CPUS += float64(u.ticks()) / userHZ
		ended[at] += float64(max(0, u.children)) / userHZ
		programs[at].Children = ended[at] > programs[at].CPUS/2
	}
	slices.SortFunc(programs, func(a, b record.Program) int {
		return cmp.Or(cmp.Compare(b.CPUS, a.CPUS), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Unit, b.Unit))
	})
	out := &record.Others{WindowS: after.at.Sub(before.at).Seconds(), Programs: programs[:min(len(programs), most)],
		UnseenS: max(0, after.busy-before.busy-float64(total)/userHZ), CostS: before.cost + after.cost}
	for _, p := range programs[len(out.Programs):] {
		out.RestS += p.CPUS
	}
	return out
}

// use is the CPU time of a process between two looks, in ticks.
type use struct{ self, children int64 }

func (u use) ticks() int64 { return max(0, u.self) + max(0, u.children) }

// usesOf returns the CPU time of each process of the second look. One that ended had most of its time before the first
// look, perhaps, and all of it passed to the ancestor that waited for it: as much is taken from its ancestors.
func usesOf(before, after map[int]procfs.ProcStat) map[int]use {
	out := map[int]use{}
	for pid, s := range after {
		u := use{int64(s.UTime + s.STime), int64(s.CUTime + s.CSTime)}
		if b, ok := before[pid]; ok && b.Starttime == s.Starttime {
			u.self -= int64(b.UTime + b.STime)
			u.children -= int64(b.CUTime + b.CSTime)
		}
		out[pid] = u
	}
	for pid, b := range before {
		if s, ok := after[pid]; ok && s.Starttime == b.Starttime {
			continue
		}
		left := int64(b.UTime+b.STime) + int64(b.CUTime+b.CSTime)
		for up := b.PPID; up > 0 && left > 0; up = before[up].PPID {
			if u, ok := out[up]; ok && u.children > 0 && after[up].Starttime == before[up].Starttime {
				passed := min(left, u.children)
				u.children, left = u.children-passed, left-passed
				out[up] = u
			}
		}
	}
	return out
}

// threadsOfKernel is the process that is the parent of the kernel's own threads.
const threadsOfKernel = 2

// nameOf names a process by its command, never by its arguments, and by the unit or container that it runs in.
func nameOf(root hostfs.Root, s procfs.ProcStat) record.Program {
	if s.PPID == threadsOfKernel || s.PID == threadsOfKernel && s.PPID == 0 {
		name, _, _ := strings.Cut(s.Comm, "/")
		return record.Program{Name: clean(name), Unit: "the kernel"}
	}
	return record.Program{Name: clean(s.Comm), Unit: unitOf(procs.GroupsOf(root, s.PID))}
}

// clean leaves out what is no text: a process chooses its name.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\uFFFD' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
}

// idDigits is the length of a container's id as Docker, containerd, CRI-O and Podman name control groups by.
const idDigits = 64

// containerIn returns the id in a segment of a control group's path such as docker-ID.scope or ID; "" if there is none.
func containerIn(segment string) string {
	id := strings.TrimSuffix(segment, ".scope")
	id = id[strings.LastIndexByte(id, '-')+1:]
	if len(id) != idDigits || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// unitOf returns the innermost service of systemd or container of control groups; "" if there is none.
func unitOf(groups []string) string {
	for _, group := range groups {
		for dir := group; dir != "/" && dir != "." && dir != ""; dir = path.Dir(dir) {
			name := path.Base(dir)
			if id := containerIn(name); id != "" {
				return "container " + id[:12]
			}
			if strings.HasSuffix(name, ".service") && !strings.HasPrefix(name, "user@") {
				return clean(name[max(0, len(name)-longest):])
			}
		}
	}
	return ""
}
