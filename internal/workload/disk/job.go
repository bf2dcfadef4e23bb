package disk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/ring"
	"plimsoll/internal/workload"
)

// job is what the parameters ask for.
type job struct {
	read, write bool
	random      bool
	mix         int // reads, %
	block       int
	blocks      int64 // of each job
	shared      bool
	path        string
	direct      bool
	every       int  // writes of a sync; 0: none
	data        bool // fdatasync
	cap         float64
	engine      string
	batch       int
	depth       int
	jobs        int
	clients     int
	spin        bool
	consents    []string
}

func jobOf(p workload.Params) job {
	rw := p.Text(paramRW)
	j := job{
		read:   rw == rwRead || rw == rwRandRead || rw == rwMixed || rw == rwRandMixed,
		write:  rw == rwWrite || rw == rwRandWrite || rw == rwMixed || rw == rwRandMixed,
		random: rw == rwRandRead || rw == rwRandWrite || rw == rwRandMixed,
		mix:    p.Int(paramMix), block: p.Int(paramBlock), shared: p.Text(paramLayout) == layoutShared,
		path: p.Text(paramPath), direct: p.Bool(paramDirect), every: max(p.Int(paramFsync), p.Int(paramFdatasync)), data: p.Int(paramFdatasync) > 0,
		cap: p.Number(paramBandwidth), engine: p.Text(paramEngine), batch: p.Int(paramBatch), depth: p.Int(record.ParamDepth), jobs: p.Int(record.ParamJobs),
		clients: p.Int(record.ParamClients), spin: p.Text(record.ParamPacing) == record.PacingSpin, consents: strings.Fields(p.Text(ParamDestroy)),
	}
	if j.block > 0 {
		j.blocks = int64(p.Number(paramSize)) / int64(j.block)
	}
	if j.clients > 0 {
		j.jobs = min(j.jobs, j.clients)
	}
	return j
}

// size is the bytes of each job: whole blocks.
func (j job) size() int64 { return j.blocks * int64(j.block) }

// total is the bytes of all jobs.
func (j job) total() int64 { return j.size() * int64(j.jobs) }

// files is the bytes of the files that are made: none on a device, which is there.
func (j job) files() int64 {
	if j.device() {
		return 0
	}
	return j.total()
}

// flights is how many operations job i has in flight.
func (j job) flights(i int) int {
	if j.clients > 0 {
		return j.clients*(i+1)/j.jobs - j.clients*i/j.jobs
	}
	return j.depth
}

// device says whether the path is meant to be one: /dev holds nothing else, but for shared memory.
func (j job) device() bool {
	return strings.HasPrefix(j.path, "/dev/") && !strings.HasPrefix(j.path, "/dev/shm")
}

// The limits of what is taken without a question.
const (
	maxMemory  = 4 << 30 // bytes of buffers
	maxThreads = 1024
)

// check finds what is wrong with the parameters alone; what is wrong with the place is found where it is.
func check(p workload.Params, _ record.Machine) error {
	j := jobOf(p)
	deepest := j.flights(j.jobs - 1)
	switch {
	case j.block%512 != 0:
		return fmt.Errorf("disk: a block of %d bytes is not whole sectors of 512\nhint: --set disk.block=%s", j.block, record.FormatSize(int64(j.block+511)/512*512))
	case j.device() && !slices.Contains(j.consents, j.path):
		return fmt.Errorf("disk: all data on %s would be destroyed\nhint: --destroy-data=%s says that it may be", j.path, j.path)
	case j.blocks < 1:
		return fmt.Errorf("disk: a job of %s does not hold a block of %s\nhint: --set disk.size=%s", p.Text(paramSize), p.Text(paramBlock), record.FormatSize(int64(j.block)*int64(deepest)))
	case p.Int(paramFsync) > 0 && p.Int(paramFdatasync) > 0:
		return errors.New("disk: both fsync and fdatasync are set\nhint: leave out one of them")
	case j.every > 0 && !j.write:
		return fmt.Errorf("disk: %s has nothing to sync\nhint: leave out disk.fsync and disk.fdatasync", p.Text(paramRW))
	case j.cap > 0 && p.Number(record.ParamRate) > 0:
		return errors.New("disk: a rate and a bandwidth are both set\nhint: leave out disk.bandwidth: a rate fixes it")
	case j.engine != engineThreads && deepest >= ring.MaxEntries:
		return fmt.Errorf("disk: depth: %w", &ring.DepthError{Depth: deepest, Limit: ring.MaxEntries - 1})
	case int64(deepest)*int64(j.jobs)*int64(j.block) > maxMemory:
		return fmt.Errorf("disk: %d jobs with %d blocks of %s in flight need more than %s of memory\nhint: a smaller depth or block", j.jobs, deepest, p.Text(paramBlock), record.FormatSize(maxMemory))
	case j.engine == engineThreads && deepest*j.jobs > maxThreads:
		return tooManyThreads(deepest * j.jobs)
	}
	return nil
}

func tooManyThreads(n int) error {
	return fmt.Errorf("disk: %d threads, and at most %d are made\nhint: a smaller depth, fewer jobs, or --set disk.engine=%s", n, maxThreads, engineRing)
}

// uring says whether the load is made by io_uring. A refusal is looked for where it matters.
func (j job) uring() bool {
	return j.engine == engineRing || j.engine == engineAuto && ring.Available() == nil
}

// lanes is how many threads make the load.
func lanes(p workload.Params, _ record.LoadPoint, _ int) int {
	j := jobOf(p)
	if j.uring() {
		return j.jobs
	}
	n := 0
	for i := range j.jobs {
		n += j.flights(i)
	}
	return n
}
