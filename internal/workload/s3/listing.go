package s3

import "bytes"

// keyMark begins each key of a listing.
const keyMark = "<Key>"

// counter counts the keys of a listing whose bytes come in pieces.
type counter struct {
	n    int
	tail [len(keyMark) - 1]byte // the last bytes before the next piece
	kept int
}

func (c *counter) feed(b []byte) {
	// A mark that is cut in two is in the end of one piece and the beginning of the next.
	var seam [2 * (len(keyMark) - 1)]byte
	n := copy(seam[:], c.tail[:c.kept])
	n += copy(seam[n:], b[:min(len(b), len(keyMark)-1)])
	c.n += bytes.Count(seam[:n], []byte(keyMark)) + bytes.Count(b, []byte(keyMark))
	if len(b) >= len(c.tail) {
		c.kept = copy(c.tail[:], b[len(b)-len(c.tail):])
		return
	}
	from := max(0, n-len(c.tail))
	c.kept = copy(c.tail[:], seam[from:n])
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
