package s3

import "bytes"

// keyMark begins each key of a listing.
const keyMark = "<Key>"

// counter counts the keys of a listing whose bytes come in pieces.
type counter struct {
	n    int
	seam seam
}

func (c *counter) feed(b []byte) {
	joint, _ := c.seam.join(keyMark, b)
	c.n += bytes.Count(joint, []byte(keyMark)) + bytes.Count(b, []byte(keyMark))
}

// seam is between two pieces of an answer: a mark may be cut in two by it.
type seam struct {
	tail  [mostMark]byte // the last bytes of the pieces before
	kept  int
	joint [2 * mostMark]byte
}

// mostMark is how many bytes a mark has at most.
const mostMark = 32

// join returns the bytes in which a cut mark would be: the end of the pieces before, and the beginning of b. The first
// before bytes are from the earlier pieces. All are valid until the next call.
func (s *seam) join(mark string, b []byte) (joint []byte, before int) {
	most := len(mark) - 1
	before = copy(s.joint[:], s.tail[:s.kept])
	joint = s.joint[:before+copy(s.joint[before:], b[:min(len(b), most)])]
	last := b
	if len(b) < most {
		last = joint
	}
	s.kept = copy(s.tail[:], last[max(0, len(last)-most):])
	return joint, before
}

// folderKey returns the prefix of the keys in an object's folder.
func (s *script) folderKey(k int) []byte {
	s.key = append(s.key[:0], s.prefix...)
	s.key = appendDigits(s.key, k/perFolder, 5)
	return append(s.key, '/')
}

// folder makes an operation the listing of an object's folder.
func (s *script) folder(op *slot, k int) {
	op.k, op.least = k/perFolder*perFolder, 0
	for i := range s.folderOf(op.k) {
		op.before[i] = absent
		if s.objects.there(op.k + i) {
			op.before[i] = s.objects.all[op.k+i].acked.Load()
			op.least++
		}
	}
}

// folderOf returns the number of objects in the folder that begins with an object.
func (s *script) folderOf(first int) int { return min(perFolder, len(s.objects.all)-first) }

// counted reports whether a listing shows each object that was there all the time, and no more than there may be.
func (s *script) counted(op *slot) bool {
	stayed, most := 0, 0
	for i := range s.folderOf(op.k) {
		issued := s.objects.all[op.k+i].issued.Load()
		if isThere(op.before[i]) && (issued == op.before[i] || !s.mix.has(del)) {
			stayed++
		}
		if isThere(op.before[i]) || issued != absent {
			most++
		}
	}
	return op.counts.n >= stayed && op.counts.n <= most
}
