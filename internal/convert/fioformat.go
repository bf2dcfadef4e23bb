package convert

import (
	"maps"
	"strconv"

	"plimsoll/internal/record"
)

func fioTool() tool {
	return tool{name: Fio, doc: "output of fio --output-format=json+, one run per file", read: func(out []byte) ([]toolRun, error) {
		o, err := readFio(out)
		return []toolRun{o}, err
	}}
}

func (o fioOutput) params() record.Params {
	params, _ := o.asked()
	return params
}

func (o fioOutput) load() (record.LoadPoint, error) {
	_, load := o.asked()
	return load, nil
}

// asked returns the parameters that distinguish runs of fio, from its options, and the load: as many operations in
// flight as the depths of all jobs together.
func (o fioOutput) asked() (record.Params, record.LoadPoint) {
	options := maps.Clone(o.Global)
	if options == nil {
		options = map[string]string{}
	}
	maps.Copy(options, o.Jobs[0].Options)
	params := record.Params{}
	for _, name := range []string{"rw", "readwrite", "bs", "blocksize", "ioengine", "direct", "size", "fsync", "fdatasync", "rwmixread"} {
		if v := options[name]; v != "" {
			params[name] = v
		}
	}
	count := func(name string) float64 {
		n, err := strconv.ParseUint(options[name], 10, 20)
		if err != nil || n == 0 {
			return 1
		}
		return float64(n)
	}
	level := count("iodepth") * max(count("numjobs"), float64(len(o.Jobs)))
	return params, record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}
}
