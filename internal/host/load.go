package host

import "github.com/prometheus/procfs"

// loadAverage is the 1-minute load average.
func loadAverage(root Root) (float64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	l, err := pfs.LoadAvg()
	if err != nil {
		return 0, err
	}
	return l.Load1, nil
}
