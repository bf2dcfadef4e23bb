package httpload

// queue holds the idle connections. The longest idle one is next, so that all of them are used, and with them all
// threads of a server that assigns connections to threads.
type queue struct {
	first, last *conn
	n           int
}

func (q *queue) push(c *conn) {
	c.before, c.after = q.last, nil
	if q.last != nil {
		q.last.after = c
	} else {
		q.first = c
	}
	q.last = c
	q.n++
}

func (q *queue) pop() *conn {
	c := q.first
	q.remove(c)
	return c
}

// remove removes a connection from the queue.
func (q *queue) remove(c *conn) {
	if c.before != nil {
		c.before.after = c.after
	} else {
		q.first = c.after
	}
	if c.after != nil {
		c.after.before = c.before
	} else {
		q.last = c.before
	}
	c.before, c.after = nil, nil
	q.n--
}
