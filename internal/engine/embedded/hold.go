package embedded

import (
	"sync"
	"time"
)

// delay holds requests whose completion is known on arrival.
type delay struct {
	zero   time.Time
	timers timers

	mu    sync.Mutex
	queue *queue
}

func newDelay(q *queue) *delay { return &delay{zero: time.Now(), queue: q} }

// hold returns when the request that arrives now is done.
func (d *delay) hold() error {
	d.mu.Lock()
	done := d.queue.admit(time.Since(d.zero))
	d.mu.Unlock()
	if left := done - time.Since(d.zero); left > 0 {
		return d.timers.sleep(left)
	}
	return nil
}

// crowd holds requests that affect each other's completion. One alarm rings for the next to leave.
type crowd struct {
	zero  time.Time
	alarm *alarm

	mu    sync.Mutex
	queue *threaded
	late  error // why the alarm no longer rings
}

// newCrowd starts the alarm; stop ends it.
func newCrowd(q *threaded) (c *crowd, stop func() error, err error) {
	a, err := newAlarm()
	if err != nil {
		return nil, nil, err
	}
	c = &crowd{zero: time.Now(), alarm: a, queue: q}
	go c.ring()
	return c, a.close, nil
}

func (c *crowd) hold() error {
	done := make(chan float64, 1)
	c.mu.Lock()
	c.queue.come(time.Since(c.zero).Seconds(), done)
	c.set()
	err := c.late
	c.mu.Unlock()
	if err != nil {
		return err
	}
	<-done
	return nil
}

// ring releases due requests, until the alarm is closed.
func (c *crowd) ring() {
	for {
		err := c.alarm.wait()
		c.mu.Lock()
		if c.late = err; err == nil {
			c.queue.advance(time.Since(c.zero).Seconds())
			c.set()
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// set sets the alarm for the next request to leave, if there is one.
func (c *crowd) set() {
	at, some := c.queue.next()
	if some && c.late == nil {
		c.late = c.alarm.set(time.Duration(at*1e9) - time.Since(c.zero))
	}
}
