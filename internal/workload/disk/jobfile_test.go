package disk

import (
	"maps"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

func TestJobFile(t *testing.T) {
	const text = `; a comment
[global]
ioengine=libaio
direct=1
size=64m
runtime=30
time_based
group_reporting=1
directory=/mnt/data

[rand-read]
rw=randread
bs=4k
iodepth=32
numjobs=2
rate_iops=500

[mix]
stonewall
readwrite=readwrite
rwmixwrite=30
blocksize=128ki

[log]
wait_for_previous
ioengine=psync
rw=write
iodepth=8
fsync=1
filename=wal.log

[device]
rw=randwrite
buffered=1
filename=/dev/sdz
`
	got, err := takeJobs("a.fio", text)
	if err != nil {
		t.Fatal(err)
	}
	if got.DurationS != 30 || got.WarmupS != 0 || len(got.Jobs) != 4 {
		t.Errorf("%g s, %g s, %d jobs", got.DurationS, got.WarmupS, len(got.Jobs))
	}
	if !strings.Contains(got.Aside, "[device] at once") {
		t.Errorf("fio runs the last job at once with the others: %q", got.Aside)
	}
	for i, want := range []record.Params{
		{"rw": "randread", "block": "4KiB", "depth": "32", "jobs": "2", "rate": "1000", "arrivals": "uniform",
			"direct": "true", "engine": "auto", "size": "64MiB", "path": "/mnt/data"},
		{"rw": "rw", "mix": "70", "block": "128KiB", "depth": "1", "jobs": "1", "direct": "true", "engine": "auto",
			"size": "64MiB", "path": "/mnt/data"},
		{"rw": "write", "block": "4k", "depth": "1", "jobs": "1", "direct": "true", "engine": "threads", "fsync": "1",
			"size": "64MiB", "path": "/mnt/data", "layout": "shared"},
		{"rw": "randwrite", "block": "4k", "depth": "1", "jobs": "1", "direct": "false", "engine": "auto",
			"size": "64MiB", "path": "/dev/sdz"},
	} {
		if !maps.Equal(got.Jobs[i].Set, want) {
			t.Errorf("%s: %v, want %v", got.Jobs[i].Name, got.Jobs[i].Set, want)
		}
		params(t, got.Jobs[i].Set) // all of them are values of disk
	}
	// A device is not given up by a job file.
	if err := Spec().Check(params(t, got.Jobs[3].Set), record.Machine{}); err == nil || !strings.Contains(err.Error(),
		"hint: --destroy-data=/dev/sdz") {
		t.Errorf("a device in a job file: %v", err)
	}
	// A file of no job has the defaults of fio.
	bare, err := takeJobs("b.fio", "[x]\nsize=1g")
	if err != nil || !maps.Equal(bare.Jobs[0].Set, record.Params{"rw": "read", "block": "4k", "depth": "1", "jobs": "1",
		"direct": "false", "engine": "threads", "size": "1GiB"}) {
		t.Errorf("%v, %v", bare.Jobs, err)
	}
}

// What disk cannot do is named with its line, and fio is offered.
func TestJobFileRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"[a]\nverify=crc32c":                      "a.fio:2: disk has no verify\nhint: plimsoll run exec 'fio a.fio",
		"[a]\nrw=trim":                            "a.fio:2: disk has no rw=trim",
		"[global]\n\nbssplit=4k/50:8k/50\n[a]":    "a.fio:3: disk has no bssplit",
		"[a]\nioengine=mmap":                      "a.fio:2: disk has no ioengine=mmap",
		"[a]\nbs=4k,8k":                           "a.fio:2: disk has no bs=4k,8k",
		"[a]\nsize=50%":                           "a.fio:2: disk has no size=50%",
		"[a]\nfilename=x:y":                       "a.fio:2: disk has no list of files",
		"[a]\ndirectory=${DIR}":                   "a.fio:2: disk has no directory",
		"[a]\nruntime=soon":                       "a.fio:2: runtime=soon is not a time",
		"[a]\nnumjobs=two":                        "a.fio:2: numjobs=two is not a number",
		"[a]\nruntime=1\n[b]\nruntime=2":          "a.fio:3: [b] has another runtime",
		"rw=read":                                 "a.fio: no job\nhint: a job file of fio has a [section]",
		"[a]\nrandom_distribution=zipf:1.2\nrw=x": "a.fio:2: disk has no random_distribution",
	} {
		_, err := takeJobs("a.fio", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if _, hint := usage.Parts(err); strings.Contains(want, "disk has no") && !strings.Contains(hint, "--parse fio") {
			t.Errorf("%q: hint %q", text, hint)
		}
	}
}
