package s3

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// kind is a kind of operation.
type kind int

// The kinds of operations.
const (
	get kind = iota
	put
	head
	ranged
	multipart
	listFolder
	del
	kinds
)

// names returns the kinds' names, in their order.
func names() []string { return []string{"get", "put", "head", "range", "multipart", "list", "delete"} }

func (k kind) String() string { return names()[k] }

// writes reports whether the operation changes an object.
func (k kind) writes() bool { return k == put || k == multipart || k == del }

// mix is how often each kind of operation is done.
type mix struct {
	weights [kinds]int
	sum     int
}

// maxWeight bounds a weight.
const maxWeight = 1000

func weightOf(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxWeight {
		return 0, fmt.Errorf("%q is not a weight\nhint: a whole number from 1 to %d", text, maxWeight)
	}
	return n, nil
}

// parseMix reads operations with weights, "get:3,put"; the weight 1 may be left out.
func parseMix(text string) (mix, error) {
	var m mix
	for part := range strings.SplitSeq(text, ",") {
		name, weight, weighted := strings.Cut(strings.TrimSpace(part), ":")
		k, n := slices.Index(names(), name), 1
		if k < 0 {
			return m, fmt.Errorf("%q is not an operation\nhint: one or more of %s, such as get:3,put:1", name,
				strings.Join(names(), ", "))
		}
		if weighted {
			var err error
			if n, err = weightOf(weight); err != nil {
				return m, err
			}
		}
		if m.weights[k] > 0 {
			return m, fmt.Errorf("%s occurs twice\nhint: give its weight, as %s:2", name, name)
		}
		m.weights[k] = n
		m.sum += n
	}
	return m, nil
}

// has reports whether an operation is done.
func (m mix) has(k kind) bool { return m.weights[k] > 0 }

// reads reports whether an operation needs objects that are there.
func (m mix) reads() bool {
	return m.has(get) || m.has(head) || m.has(ranged) || m.has(listFolder) || m.has(del)
}

// writes reports whether an operation changes objects.
func (m mix) writes() bool { return m.has(put) || m.has(multipart) || m.has(del) }

// kinds returns the operations that are done, in their order.
func (m mix) kinds() []kind {
	var out []kind
	for k, n := range m.weights {
		if n > 0 {
			out = append(out, kind(k))
		}
	}
	return out
}

// draw returns the next operation.
func (m mix) draw(r *rand.Rand) kind {
	n := r.IntN(m.sum)
	for k, weight := range m.weights {
		if n -= weight; n < 0 {
			return kind(k)
		}
	}
	return get // not reached: the weights add up to the sum
}
