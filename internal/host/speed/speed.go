package speed

import (
	"context"
	"os"
	"path/filepath"

	"plimsoll/internal/forecast"
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
