package convert

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"

	"plimsoll/internal/record"
)

func fioFormat() Format {
	return Format{Name: Fio, Doc: "what fio --output-format=json+ prints, one run a file; it needs --machine", Read: readFioTrial}
}

// maxFio is far more than fio prints for thousands of jobs.
const maxFio = 64 << 20

// readFioTrial makes one trial of a run: its jobs worked together.
func readFioTrial(r io.Reader, o Options, emit func(record.Trial) error) error {
	if o.Machine == "" {
		return errors.New("fio does not say which machine it ran on\nhint: --machine NAME says it")
	}
	text, err := io.ReadAll(io.LimitReader(r, maxFio+1))
	if err != nil {
		return err
	}
	if len(text) > maxFio {
		return fmt.Errorf("it is over %d MiB long", maxFio>>20)
	}
	out, err := readFio(text)
	if err != nil {
		return err
	}
	values, err := out.values()
	if err != nil {
		return err
	}
	workload := cmp.Or(o.Workload, Fio)
	params, load := out.asked()
	maps.Copy(params, o.Params)
	t := record.Trial{Keys: newKeys(Fio, o.Machine, workload, params, load), Load: load, Replicate: o.Replicate, Values: values}
	return emit(t)
}

// asked is what tells runs of fio apart, as its options say it, and the load: as many operations in flight as
// the depth of all jobs together.
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
