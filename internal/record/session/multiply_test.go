package session

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"time"

	"plimsoll/internal/record"
)

// multiply writes a session of as many trials as if the plan of a measured one had run on two machines: copies of its
// trials with all of their fields, whose figures scatter by 2%. Unlike a Writer it does not sync. Arguments: the
// measured session, the new one, the number of trials, a seed.
func multiply(args []string) error {
	from, err := Read(args[0])
	if err != nil {
		return err
	}
	trials, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(args[3], 10, 64)
	if err != nil {
		return err
	}
	f, err := os.Create(args[1])
	if err != nil {
		return err
	}
	out := &lines{Writer: bufio.NewWriterSize(f, 1<<20)}
	replicates := trials / 2 / len(from.Trials)
	plan, r := from.Plans[0], rand.New(rand.NewPCG(seed, 0))
	plan.Plan.Replicates = replicates
	for i, name := range []string{"m5d.8xlarge", "m6gd.8xlarge"} {
		m := from.Machines[0]
		m.Name, m.ID = name, fmt.Sprintf("machine-%d", i)
		out.add(kindMachine, m)
		out.add(kindPlan, plan)
		for n := range replicates {
			for _, t := range from.Trials {
				out.add(kindTrial, copyOf(t, m, n, 1+.1*float64(i), r))
			}
		}
		out.add(kindEnd, record.End{Plan: plan.Hash, Reason: "done", Trials: replicates * len(from.Trials)})
	}
	return errors.Join(out.err, out.Flush(), f.Close())
}

// copyOf returns a trial as another replicate on a machine, which is so many times as fast.
func copyOf(t record.Trial, m record.Machine, replicate int, speed float64, r *rand.Rand) record.Trial {
	load, after := t.Load, time.Duration(replicate)*time.Minute
	t = scattered(r, reflect.ValueOf(t)).Interface().(record.Trial)
	t.ID, t.Replicate, t.Load = fmt.Sprintf("%s-r%d-g%d-c%d-a0", t.Plan, replicate, t.Group, t.Cell), replicate, load
	t.Keys[record.KeyMachine], t.Keys[record.KeyMachineID] = m.Name, m.ID
	t.Values[0].Value *= speed
	if start, err := record.ParseTime(t.Start); err == nil {
		t.Start = start.Add(after).Format(time.RFC3339Nano)
	}
	return t
}

// scattered returns a deep copy with other figures.
func scattered(r *rand.Rand, v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(scattered(r, v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(scattered(r, v.Elem()))
		}
	case reflect.Slice:
		for i := range v.Len() {
			out = reflect.Append(out, scattered(r, v.Index(i)))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
		for at := v.MapRange(); at.Next(); {
			out.SetMapIndex(at.Key(), scattered(r, at.Value()))
		}
	case reflect.Float64:
		out.SetFloat(v.Float() * math.Exp(.02*r.NormFloat64()))
	case reflect.Int64:
		out.SetInt(int64(float64(v.Int()) * math.Exp(.02*r.NormFloat64())))
	default:
		out.Set(v)
	}
	return out
}
