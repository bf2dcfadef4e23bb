package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
)

// function is a function with the costs of all stacks that it is in.
type function struct {
	name   string
	inside string // see Detail
	caller string // likewise
	amounts
	kernel bool
	depth  float64 // sum over its stacks of its distance from the outermost frame, by cost
	weight float64 // of that sum
}

// score is large for a function whose difference is large and whose cost in all categories is small, as the chi-squared
// statistic of its costs as counts. Callers of everything score low, for they cost much on both sides; a callee that
// has only a part of the difference scores low as well.
func (f *function) score(everywhere float64) float64 {
	a, b := f.means()
	if a+b <= 0 {
		return 0
	}
	return (b - a) * (b - a) / math.Max(everywhere, a+b)
}

func (f *function) meanDepth() float64 { return f.depth / f.weight }

// functions returns the functions that the difference goes through: the one of the best score, then the same among the
// stacks that do not pass through it.
func (p *part) functions() []*function {
	left := p.stacks
	var out []*function
	for len(out) < mostDetails {
		all := p.functionsOf(left)
		if len(out) == 0 {
			p.tested += p.distinct(all)
		}
		f := p.leading(all)
		if f == nil {
			break
		}
		var through []costed
		through, left = split(left, f.name)
		f.inside, f.caller = p.innermost(f, through), callerOf(f, through)
		out = append(out, f)
	}
	return out
}

// functionsOf sums up the costs of all functions, each once in a stack.
func (p *part) functionsOf(stacks []costed) map[string]*function {
	out := map[string]*function{}
	for _, st := range stacks {
		for name, i := range functionsIn(st.Stack) {
			f := out[name]
			if f == nil {
				f = &function{name: name, kernel: st.Frames[i].Module == record.ModuleKernel, amounts: newAmounts(p.s)}
				out[name] = f
			}
			f.add(st)
			f.depth += st.cost * float64(len(st.Frames)-1-i)
			f.weight += st.cost
		}
	}
	return out
}

// functionsIn returns the functions of a stack, each once, with the index of its innermost frame.
func functionsIn(st record.Stack) map[string]int {
	out := make(map[string]int, len(st.Frames))
	for i, frame := range slices.Backward(st.Frames) {
		if name, ok := category.FunctionOf(frame); ok {
			out[name] = i
		}
	}
	return out
}

// distinct counts the functions large enough to count as tested; functions of the same costs, such as a caller and its
// only callee, are one.
func (p *part) distinct(of map[string]*function) int {
	seen := map[string]bool{}
	for _, f := range of {
		if a, b := f.means(); f.largest() >= leastTested*p.whole.largest() {
			seen[fmt.Sprintf("%.2g %.2g", a, b)] = true
		}
	}
	return len(seen)
}

// leading returns the function to name; nil if none has much of the difference. It is one of the program if there is
// any: the kernel's part is told by the system call and its file.
func (p *part) leading(all map[string]*function) *function {
	if f := p.best(all, false); f != nil {
		return f
	}
	return p.best(all, true)
}

// best returns the function of the best score, or its outermost caller that costs no more: of the kernel's functions or
// of the others.
func (p *part) best(all map[string]*function, kernel bool) *function {
	most := 0.0
	var of []*function
	var best *function
	for _, f := range all {
		if f.kernel != kernel || f.diff()/p.whole.diff() < leastDetail {
			continue
		}
		of = append(of, f)
		if score := f.score(p.everywhere[f.name]); best == nil || score > most || score == most && outermost(f, best) < 0 {
			most, best = score, f
		}
	}
	if best == nil {
		return nil
	}
	of = slices.DeleteFunc(of, func(f *function) bool {
		return f.score(p.everywhere[f.name]) < nearlyBest*most ||
			f.cheaper() > best.cheaper()/nearlyBest+fewSampled*p.perSample()
	})
	return slices.MinFunc(of, outermost)
}

func (f *function) cheaper() float64 { return math.Min(f.means()) }

// perSample returns the cost per operation that one sample of a trial stands for in the mean of the cheaper side.
func (p *part) perSample() float64 {
	side := p.s.a
	if p.of.Diff < 0 {
		side = p.s.b
	}
	sum := 0.0
	for _, c := range side {
		costs := c.costs(p.waits)
		sum += costs.PerOp / float64(costs.Samples)
	}
	return sum / float64(len(side)*len(side))
}

func outermost(a, b *function) int {
	return cmp.Or(cmp.Compare(a.meanDepth(), b.meanDepth()), cmp.Compare(a.name, b.name))
}

// split divides stacks into those that pass through a function and the others.
func split(stacks []costed, name string) (through, others []costed) {
	for _, st := range stacks {
		if at := place(st, name); at >= 0 {
			through = append(through, st)
		} else {
			others = append(others, st)
		}
	}
	return through, others
}

// place returns the index of a function's outermost frame in a stack; -1 without one.
func place(st costed, name string) int {
	for i := len(st.Frames) - 1; i >= 0; i-- {
		if of, ok := category.FunctionOf(st.Frames[i]); ok && of == name {
			return i
		}
	}
	return -1
}

// innermost returns the deepest callee with most of a function's difference; "" if there is none.
func (p *part) innermost(f *function, through []costed) string {
	below := make([]costed, len(through))
	for i, st := range through {
		below[i] = st
		below[i].Frames = st.Frames[:place(st, f.name)]
	}
	var of []*function
	for _, c := range p.functionsOf(below) {
		if c.diff()/f.diff() >= mostOfIt {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return ""
	}
	return slices.MaxFunc(of, outermost).name
}

// callerOf returns the function that calls another in nearly all of its cost; "" if there is none.
func callerOf(f *function, through []costed) string {
	callers := map[string]float64{}
	for _, st := range through {
		for _, frame := range st.Frames[place(st, f.name)+1:] {
			if name, ok := category.FunctionOf(frame); ok {
				callers[name] += st.cost
				break
			}
		}
	}
	for name, cost := range callers {
		if cost >= nearlyAll*f.weight {
			return name
		}
	}
	return ""
}
