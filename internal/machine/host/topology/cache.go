package topology

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// parseKernelSize reads a size as sysfs writes it, in bytes: "32K" is 32 KiB.
func parseKernelSize(b []byte) (int64, error) {
	text := strings.TrimSpace(string(b))
	shift := 0
	if i := strings.IndexAny(text, "KMG"); i >= 0 && i == len(text)-1 {
		shift = 10 * (1 + strings.Index("KMG", text[i:]))
		text = text[:i]
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%.40q is not a size such as 32K", b)
	}
	return n << shift, nil
}

// maxCacheIndex bounds the caches of one CPU; Linux numbers them without gaps.
const maxCacheIndex = 16

// cacheSet holds the instances of each cache, by the CPUs that share them.
type cacheSet map[record.Cache]map[string]bool

// Caches lists the caches of the online CPUs, smallest level first. A cache that several CPUs
// share is one instance, and is read of one of them only: there are thousands
// of these files on a large machine.
func Caches(root hostfs.Root) ([]record.Cache, error) {
	cpus, err := Online(root)
	if err != nil {
		return nil, err
	}
	found := cacheSet{}
	for index, more := 0, true; more && index < maxCacheIndex; index++ {
		if more, err = found.read(root, cpus, index); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("cache sizes: %w", fs.ErrNotExist)
	}
	return countCaches(found), nil
}

// read adds the caches that have this index, if any CPU has one.
func (s cacheSet) read(root hostfs.Root, cpus []int, index int) (found bool, err error) {
	known := map[int]bool{}
	for _, cpu := range cpus {
		dir := root.SysPath(fmt.Sprintf("devices/system/cpu/cpu%d/cache/index%d", cpu, index))
		if known[cpu] || !hostfs.IsDir(dir) {
			continue
		}
		found = true
		c, shared, err := readCache(dir)
		if err != nil {
			return found, err
		}
		sharers, err := kernfmt.List([]byte(shared))
		if err != nil {
			return found, fmt.Errorf("%s: %w", dir, err)
		}
		for _, other := range sharers {
			known[other] = true
		}
		if s[c] == nil {
			s[c] = map[string]bool{}
		}
		s[c][shared] = true
	}
	return found, nil
}

func countCaches(instances cacheSet) []record.Cache {
	var out []record.Cache
	for c, shared := range instances {
		c.Instances = len(shared)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b record.Cache) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Bytes, b.Bytes))
	})
	return out
}

func readCache(dir string) (c record.Cache, shared string, err error) {
	level, err1 := hostfs.ReadText(filepath.Join(dir, "level"))
	kind, err2 := hostfs.ReadText(filepath.Join(dir, "type"))
	shared, err3 := hostfs.ReadText(filepath.Join(dir, "shared_cpu_list"))
	bytes, err4 := hostfs.ReadParsed(filepath.Join(dir, "size"), parseKernelSize)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return c, "", err
	}
	n, err := strconv.Atoi(level)
	if err != nil {
		return c, "", fmt.Errorf("%s: level %.20q is not a number", dir, level)
	}
	return record.Cache{Level: n, Type: strings.ToLower(kind), Bytes: bytes}, shared, nil
}
