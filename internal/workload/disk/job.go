package disk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/client/ring"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// job is the parsed parameters.
type job struct {
	read, write bool
	random      bool
	mix         int // reads, %
	block       int
	blocks      int64 // per job
	shared      bool
	path        string
	direct      bool
	every       int  // writes per sync; 0: no syncs
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
		path: p.Text(paramPath), direct: p.Bool(paramDirect), every: max(p.Int(paramFsync), p.Int(paramFdatasync)),
		data: p.Int(paramFdatasync) > 0,
		cap:  p.Number(paramBandwidth), engine: p.Text(paramEngine), batch: p.Int(paramBatch),
		depth: p.Int(record.ParamDepth), jobs: p.Int(record.ParamJobs),
		clients: p.Int(record.ParamClients), spin: p.Text(record.ParamPacing) == record.PacingSpin,
		consents: strings.Fields(p.Text(ParamDestroy)),
	}
	if j.block > 0 {
		j.blocks = int64(p.Number(paramSize)) / int64(j.block)
	}
	if j.clients > 0 {
		j.jobs = min(j.jobs, j.clients)
	}
	return j
}

// size returns the bytes of each job: whole blocks.
func (j job) size() int64 { return j.blocks * int64(j.block) }

// total returns the bytes of all jobs.
func (j job) total() int64 { return j.size() * int64(j.jobs) }

// files returns the bytes of the files to make: none on a device.
func (j job) files() int64 {
	if j.device() {
		return 0
	}
	return j.total()
}

// flights returns the number of operations that job i keeps in flight.
func (j job) flights(i int) int {
	if j.clients > 0 {
		return j.clients*(i+1)/j.jobs - j.clients*i/j.jobs
	}
	return j.depth
}

// device reports whether the path is meant as a device: /dev contains only devices and shared memory.
func (j job) device() bool {
	return strings.HasPrefix(j.path, "/dev/") && !strings.HasPrefix(j.path, "/dev/shm")
}

// The limits on resources.
const (
	maxMemory  = 4 << 30 // bytes of buffers
	maxThreads = 1024
)

// check returns an error for bad parameters; preflight checks the directory or device on its host.
func check(p workload.Params, _ record.Machine) error {
	j := jobOf(p)
	deepest := j.flights(j.jobs - 1)
	switch {
	case j.block%512 != 0:
		return fmt.Errorf("disk: a block of %d bytes is not a multiple of the 512-byte sector\nhint: --set "+
			"disk.block=%s", j.block, record.FormatSize(int64(j.block+511)/512*512))
	case j.device() && !slices.Contains(j.consents, j.path):
		return fmt.Errorf("disk: all data on %s would be destroyed\nhint: --destroy-data=%s permits that; plimsoll run disk "+
			"DIRECTORY uses files instead", j.path, j.path)
	case j.blocks < 1:
		return fmt.Errorf("disk: a job of %s is smaller than the blocks in flight, each of %s\nhint: --set "+
			"disk.size=%s", p.Text(paramSize), p.Text(paramBlock), record.FormatSize(int64(j.block)*int64(deepest)))
	case p.Int(paramFsync) > 0 && p.Int(paramFdatasync) > 0:
		return errors.New("disk: both fsync and fdatasync are set\nhint: leave out one of them")
	case j.every > 0 && !j.write:
		return fmt.Errorf("disk: %s writes nothing to sync\nhint: leave out disk.fsync and disk.fdatasync",
			p.Text(paramRW))
	case j.cap > 0 && p.Number(record.ParamRate) > 0:
		return errors.New("disk: both a rate and a bandwidth are set\nhint: leave out disk.bandwidth: a rate determines it")
	case j.engine != engineThreads && deepest >= ring.MaxEntries:
		return fmt.Errorf("disk: depth: %w", &ring.DepthError{Depth: deepest, Limit: ring.MaxEntries - 1})
	case int64(deepest)*int64(j.jobs)*int64(j.block) > maxMemory:
		return fmt.Errorf("disk: %d jobs with %d blocks of %s in flight need more than %s of memory\nhint: use "+
			"a smaller depth or block", j.jobs, deepest, p.Text(paramBlock), record.FormatSize(maxMemory))
	case j.engine == engineThreads && deepest*j.jobs > maxThreads:
		return tooManyThreads(deepest * j.jobs)
	}
	return nil
}

func tooManyThreads(n int) error {
	return fmt.Errorf("disk: %d threads exceed the limit of %d\nhint: use a smaller depth, fewer jobs, or --set "+
		"disk.engine=%s", n, maxThreads, engineRing)
}

// uring reports whether io_uring makes the load. preflight reports a refusal by the kernel.
func (j job) uring() bool {
	return j.engine == engineRing || j.engine == engineAuto && ring.Available() == nil
}

// lanes returns the number of load threads.
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
