package host

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/record"
)

// settings reads what an administrator can change. What a kernel or a virtual
// machine does not have is left out in silence: nobody can act on it.
func (d *description) settings() {
	s := &d.m.Settings
	d.frequency(s)
	d.clockSource(s)
	s.SMT, _ = readText(d.root.sys("devices/system/cpu/smt/control"))
	s.THP = d.choice("kernel/mm/transparent_hugepage/enabled")
	s.THPDefrag = d.choice("kernel/mm/transparent_hugepage/defrag")
	s.HugePages = hugePages(d.root)
	s.Mitigations = mitigations(d.root)
	s.Swap = swapBytes(d.root)
}

func (d *description) choice(path string) string {
	text, err := readParsed(d.root.sys(path), parseChoice)
	if err != nil && !NotHere(err) {
		d.note("settings", err)
	}
	return text
}

// hugePages lists the pools that hold any page.
func hugePages(root Root) []record.HugePages {
	dirs, _ := filepath.Glob(root.sys("kernel/mm/hugepages/hugepages-*kB"))
	var out []record.HugePages
	for _, dir := range dirs {
		kib, err1 := pageSize(filepath.Base(dir))
		pages, err2 := readNumber(filepath.Join(dir, "nr_hugepages"))
		free, err3 := readNumber(filepath.Join(dir, "free_hugepages"))
		if err1 == nil && err2 == nil && err3 == nil && pages > 0 {
			out = append(out, record.HugePages{PageBytes: kib << 10, Pages: pages, Free: free})
		}
	}
	return out
}

// pageSize reads the size out of a pool's name, "hugepages-2048kB".
func pageSize(name string) (kib int64, err error) {
	size, ok1 := strings.CutPrefix(name, "hugepages-")
	size, ok2 := strings.CutSuffix(size, "kB")
	kib, err = strconv.ParseInt(size, 10, 40)
	if !ok1 || !ok2 || err != nil || kib <= 0 {
		return 0, fmt.Errorf("%.40q is not the name of a pool of huge pages", name)
	}
	return kib, nil
}

func readNumber(path string) (int64, error) {
	text, err := readText(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

func swapBytes(root Root) int64 {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0
	}
	m, err := pfs.Meminfo()
	if err != nil || m.SwapTotalBytes == nil {
		return 0
	}
	return int64(*m.SwapTotalBytes)
}
