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

// What tuners such as rpk redpanda tune and tuned change, beside the governor, the clock source, the schedulers of
// disks and huge pages, which are facts of their own.

// irqAffinity is the CPUs that may handle the interrupts of devices.
func irqAffinity() Fact {
	return Value{Key: "irq_affinity", Group: Setting, Read: readIRQs,
		Doc: "number of interrupts of each device, and the CPUs that may handle them (`smp_affinity_list`)"}.Fact()
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
		Doc: "`fs.aio-max-nr`: limit of asynchronous I/O requests of all processes"}.Fact()
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

// queue matches the number of a device's queue at the end of an interrupt's name: nvme0q12, eth0-Tx-Rx-3,
// virtio2-input.0.
func queue() *regexp.Regexp { return regexp.MustCompile(`[-.@]?\d+$`) }

func readIRQs(fsys fs.FS) (record.Fact, error) {
	text, err := read(fsys, "proc/interrupts")
	if err != nil {
		return record.Fact{}, err
	}
	number := queue()
	lists := map[string][]string{} // by device: of each of its interrupts
	for line := range strings.Lines(text) {
		irq, device, ok := interrupt(line)
		if !ok {
			continue
		}
		list, rerr := read(fsys, "proc/irq", irq, "smp_affinity_list")
		if errors.Is(rerr, fs.ErrNotExist) {
			continue // an interrupt of the processor's own
		}
		if rerr != nil {
			return record.Fact{}, fmt.Errorf("interrupt %s: %w", irq, rerr)
		}
		device = number.ReplaceAllString(device, "")
		lists[device] = append(lists[device], list)
	}
	devices := slices.SortedFunc(maps.Keys(lists), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(lists[b]), len(lists[a])), cmp.Compare(a, b))
	})
	var out []string
	for _, device := range devices {
		text, err := spread(lists[device])
		if err != nil {
			return record.Fact{}, fmt.Errorf("interrupts of %s: %w", device, err)
		}
		out = append(out, device+": "+text)
	}
	return record.Fact{Text: bounded(out)}, nil
}

// spread says how the interrupts of a device are spread over CPUs: "4 on 0-3" if each may go to any of them, "4 on 4
// sets of 0-3" if each has its own.
func spread(lists []string) (string, error) {
	var all []int
	for _, list := range lists {
		cpus, err := record.ParseCPUList(list)
		if err != nil {
			return "", err
		}
		all = append(all, cpus...)
	}
	slices.Sort(all)
	n, cpus := len(lists), record.FormatCPUList(slices.Compact(all))
	slices.Sort(lists)
	if sets := len(slices.Compact(lists)); sets > 1 {
		return fmt.Sprintf("%d on %d sets of %s", n, sets, cpus), nil
	}
	return fmt.Sprintf("%d on %s", n, cpus), nil
}

// interrupt returns the number and the device of a line of /proc/interrupts, or false if it is of no device.
func interrupt(line string) (irq, device string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return "", "", false
	}
	irq, ok = strings.CutSuffix(fields[0], ":")
	if _, err := strconv.Atoi(irq); !ok || err != nil {
		return "", "", false
	}
	return irq, fields[len(fields)-1], true
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
	return bounded(out)
}

func bounded(parts []string) string {
	if more := len(parts) - mostGroups; more > 0 {
		parts = append(parts[:mostGroups], fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, "; ")
}
