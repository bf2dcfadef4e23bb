package speed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"plimsoll/internal/machine/forecast"
)

// Of measures the speed of this host: of its CPUs, and of the file systems of paths, a relative or empty one being
// below scratch. cpus is the number of usable CPUs. A file system that cannot be written is unknown: without a speed.
func Of(ctx context.Context, cpus int, paths []string, scratch string) (forecast.Speed, error) {
	known, err := parse(os.Getenv(variable))
	if err != nil {
		return forecast.Speed{}, err
	}
	out, err := ofCPUs(ctx, cpus, known)
	if err != nil {
		return forecast.Speed{}, err
	}
	for _, p := range paths {
		dir := p
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(scratch, dir)
		}
		d, err := disk(ctx, p, dir, known)
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err != nil {
			d = forecast.Disk{Path: p}
		}
		out.Disks = append(out.Disks, d)
	}
	return out, nil
}

func ofCPUs(ctx context.Context, cpus int, known *given) (forecast.Speed, error) {
	if known != nil {
		return forecast.Speed{Thread: known.thread, All: known.all}, nil
	}
	one, err := rate(ctx, 1)
	if err != nil {
		return forecast.Speed{}, err
	}
	all, err := rate(ctx, max(cpus, 1))
	if err != nil {
		return forecast.Speed{}, err
	}
	return forecast.Speed{Thread: one / referenceRate, All: max(one, all) / referenceRate}, nil
}

// variable of the environment is for tests alone: it gives the speed that a probe would measure for two seconds, as
// THREAD,ALL,WRITE,SYNC: both relative speeds of the CPUs, bytes/s of each disk, and seconds of a small synced write.
// Free space, mounts and clones are still the host's.
const variable = "PLIMSOLL_SPEED"

// given is a speed that variable states.
type given struct{ thread, all, write, syncS float64 }

// parse returns the speed that the text of variable states; nil if it states none.
func parse(text string) (*given, error) {
	if text == "" {
		return nil, nil
	}
	words := strings.Split(text, ",")
	var out given
	into := []*float64{&out.thread, &out.all, &out.write, &out.syncS}
	if len(words) != len(into) {
		return nil, fmt.Errorf("%s=%s is not THREAD,ALL,WRITE,SYNC\nhint: unset %[1]s", variable, text)
	}
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("%s=%s: %q is not a positive number\nhint: unset %[1]s", variable, text, word)
		}
		*into[i] = v
	}
	return &out, nil
}
