package tpcc

import "fmt"

// orderStatus implements clause 2.6.2, in one snapshot: in one round trip, or in two if the customer is chosen by
// name.
func (c *client) orderStatus(in *input) error {
	p := &c.people
	p.last, p.lines = 0, 0
	if c.apart {
		return c.orderStatusApart(in)
	}
	c.queue(c.snapshot)
	id := in.customer.id
	p.first = 0
	if id == 0 {
		var err error
		if id, err = c.idOf(in); err != nil {
			return err
		}
	} else {
		c.ints(in.w, in.d, id).queue(c.sql.customer)
		p.first = 2
	}
	c.ints(in.w, in.d, id).queue(c.sql.lastOrder)
	c.ints(in.w, in.d, id).queue(c.sql.lastLines)
	c.queue(c.commit)
	if err := c.conn.Exchange(p.onStatus); err != nil {
		return err
	}
	return c.sawOrder(in)
}

// sawOrder returns an error if a customer had no order, or one without its lines: each has one from the start.
func (c *client) sawOrder(in *input) error {
	if p := &c.people; p.last == 0 || p.lines < fewestLines || p.lines > mostLines {
		return fmt.Errorf("%s of warehouse %d, district %d, copy %d: the last order is %d and has %d lines",
			in.kind, in.w, in.d, in.copy, p.last, p.lines)
	}
	return nil
}

// statusRow dispatches the rows of an Order-Status: the customer, the order, its lines.
func (c *client) statusRow(i int, columns [][]byte) error {
	switch i - c.people.first {
	case 0:
		return c.lastRow(0, columns)
	case 1:
		return c.shownRow(0, columns)
	}
	return nil
}

func (c *client) lastRow(_ int, columns [][]byte) error {
	c.people.last = number(columns[0])
	return nil
}

func (c *client) shownRow(int, [][]byte) error {
	c.people.lines++
	return nil
}

// orderStatusApart is an Order-Status with one statement at a time.
func (c *client) orderStatusApart(in *input) error {
	p := &c.people
	if err := c.alone(c.snapshot); err != nil {
		return err
	}
	id := in.customer.id
	if id == 0 {
		var err error
		if id, err = c.idOf(in); err != nil {
			return err
		}
	} else if err := c.ints(in.w, in.d, id).step(c.sql.customer, nil); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, id).step(c.sql.lastOrder, p.onLast); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, p.last).step(c.sql.orderLines, p.onShown); err != nil {
		return err
	}
	if err := c.sawOrder(in); err != nil {
		return err
	}
	return c.alone(c.commit)
}
