package fact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// What tuners such as rpk redpanda tune and tuned change, beside the governor, the clock source, the schedulers of disks
// and huge pages, which are facts of their own.

// irqAffinity is the CPUs that may handle the interrupts of devices.
func irqAffinity() Fact {
	return Value{Key: "irq_affinity", Group: Setting, Read: readIRQs,
		Doc: "CPUs that may handle the interrupts of each device's queues (`smp_affinity_list`), of those that had any"}.Fact()
}

// diskMerges is whether disks merge requests.
func diskMerges() Fact {
	return Value{Key: "disk_nomerges", Group: Setting, Read: readMerges,
		Doc: "`nomerges` of the disks: 0 merges requests, 1 only simple ones, 2 none"}.Fact()
}

// swappiness is how soon the kernel swaps instead of dropping cached files.
func swappiness() Fact {
	return Value{Key: "swappiness", Group: Setting, Doc: "`vm.swappiness`", Read: sysctl("vm", "swappiness")}.Fact()
}

// aioLimit bounds the requests of asynchronous I/O of all processes.
func aioLimit() Fact {
	return Value{Key: "aio_max_nr", Group: Setting, Read: sysctl("fs", "aio-max-nr"),
		Doc: "`fs.aio-max-nr`: requests of Linux's asynchronous I/O of all processes together"}.Fact()
}

func sysctl(parts ...string) func(fs.FS) (record.Fact, error) {
	return func(fsys fs.FS) (record.Fact, error) {
		text, err := read(fsys, path.Join("proc/sys", path.Join(parts...)))
		return record.Fact{Text: text}, err
	}
}

func readMerges(fsys fs.FS) (record.Fact, error) {
	files, err := fs.Glob(fsys, "sys/block/*/queue/nomerges")
	disks := map[string][]string{} // by value
	for _, f := range files {
		disk := path.Base(path.Dir(path.Dir(f)))
		if strings.HasPrefix(disk, "loop") || strings.HasPrefix(disk, "ram") || strings.HasPrefix(disk, "zram") {
			continue
		}
		value, rerr := read(fsys, f)
		if err = cmp.Or(err, rerr); rerr == nil {
			disks[value] = append(disks[value], disk)
		}
	}
	return record.Fact{Text: grouped(disks)}, err
}

// queue matches the number of a device's queue at the end of an interrupt's name: nvme0q12, eth0-Tx-Rx-3, virtio2-input.0.
func queue() *regexp.Regexp { return regexp.MustCompile(`[-.@]?\d+$`) }

func readIRQs(fsys fs.FS) (record.Fact, error) {
	text, err := read(fsys, "proc/interrupts")
	if err != nil {
		return record.Fact{}, err
	}
	number := queue()
	cpus := map[string][]int{} // by device
	for line := range strings.Lines(text) {
		irq, device, ok := interrupt(line)
		if !ok {
			continue
		}
		list, rerr := read(fsys, "proc/irq", irq, "smp_affinity_list")
		if errors.Is(rerr, fs.ErrNotExist) {
			continue // an interrupt of the processor's own
		}
		own, perr := record.ParseCPUList(list)
		if rerr = cmp.Or(rerr, perr); rerr != nil {
			return record.Fact{}, fmt.Errorf("interrupt %s: %w", irq, rerr)
		}
		device = number.ReplaceAllString(device, "")
		cpus[device] = append(cpus[device], own...)
	}
	devices := map[string][]string{} // by CPUs
	for device, own := range cpus {
		slices.Sort(own)
		set := record.FormatCPUList(slices.Compact(own))
		devices[set] = append(devices[set], device)
	}
	return record.Fact{Text: grouped(devices)}, nil
}

// interrupt returns the number and the device of a line of /proc/interrupts, or false if it is of no device, or if none
// came.
func interrupt(line string) (irq, device string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return "", "", false
	}
	irq, ok = strings.CutSuffix(fields[0], ":")
	if _, err := strconv.Atoi(irq); !ok || err != nil {
		return "", "", false
	}
	came := false
	for _, f := range fields[1:] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			break // the counts of CPUs end
		}
		came = came || n > 0
	}
	return irq, fields[len(fields)-1], came
}

// mostGroups bounds a fact's text: machines have hundreds of interrupts.
const mostGroups = 12

// grouped writes names by what they have in common: "2: nvme0n1 nvme1n1; 0: vda".
func grouped(names map[string][]string) string {
	var out []string
	for _, value := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[value])
		out = append(out, value+": "+strings.Join(names[value], " "))
	}
	if more := len(out) - mostGroups; more > 0 {
		out = append(out[:mostGroups], fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, "; ")
}
