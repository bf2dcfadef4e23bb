package tpcc

import "fmt"

// parcelWork is the state of a Delivery or a Stock-Level.
type parcelWork struct {
	districts, orders []int // oldest undelivered order of each district that has one
	buyer, amount     int   // of one order; cents
	rows              int
	count             int

	onOldest, onBuyer, onAmount, onCount func(int, [][]byte) error
}

// delivery implements clause 2.7.4 for all districts of a warehouse in one transaction of two round trips. The
// clause's queue is omitted: the client waits. All clients lock rows in the order of districts.
func (c *client) delivery(in *input) error {
	p := &c.parcels
	p.districts, p.orders = p.districts[:0], p.orders[:0]
	if c.apart {
		return c.deliveryApart(in)
	}
	c.queue(c.begin)
	if err := c.ints(in.w).step(c.sql.oldest, p.onOldest); err != nil {
		return err
	}
	n := len(p.orders)
	c.parcelsOf(in).queue(c.sql.deliver)
	c.parcelsOf(in).ints(in.carrier).queue(c.sql.ship)
	c.parcelsOf(in).queue(c.sql.shipLines)
	c.parcelsOf(in).queue(c.sql.charge)
	c.queue(c.commit)
	if err := c.conn.Exchange(nil); err != nil {
		return err
	}
	c.skipped += int64(districts - n)
	if err := c.touched(in, 0, n, "the delete of new orders"); err != nil {
		return err
	}
	if err := c.touched(in, 1, n, "the update of orders"); err != nil {
		return err
	}
	return c.touched(in, 3, n, "the update of customers")
}

// parcelsOf appends the warehouse and its orders as arguments.
func (c *client) parcelsOf(in *input) *client {
	p := &c.parcels
	c.ints(in.w)
	c.array(len(p.districts), func(out []byte, i int) []byte { return appendInt(out, p.districts[i]) })
	return c.array(len(p.orders), func(out []byte, i int) []byte { return appendInt(out, p.orders[i]) })
}

func (c *client) oldestRow(_ int, columns [][]byte) error {
	c.parcels.districts = append(c.parcels.districts, number(columns[0]))
	c.parcels.orders = append(c.parcels.orders, number(columns[1]))
	return nil
}

// deliveryApart is a Delivery with one statement at a time.
func (c *client) deliveryApart(in *input) error {
	p := &c.parcels
	if err := c.alone(c.begin); err != nil {
		return err
	}
	for d := 1; d <= districts; d++ {
		p.districts, p.orders = p.districts[:0], p.orders[:0]
		if err := c.ints(in.w, d).step(c.sql.oldestOf, p.onOldest); err != nil {
			return err
		}
		if len(p.orders) == 0 {
			c.skipped++
			continue
		}
		if err := c.deliverApart(in, d, p.orders[0]); err != nil {
			return err
		}
	}
	return c.alone(c.commit)
}

func (c *client) deliverApart(in *input, d, o int) error {
	p := &c.parcels
	if err := c.ints(in.w, d, o).step(c.sql.deliverOne, nil); err != nil {
		return err
	}
	if err := c.ints(in.w, d, o, in.carrier).step(c.sql.shipOne, p.onBuyer); err != nil {
		return err
	}
	if err := c.touched(in, 0, 1, "the update of an order"); err != nil {
		return err
	}
	p.amount = 0
	if err := c.ints(in.w, d, o).step(c.sql.shipOneLines, p.onAmount); err != nil {
		return err
	}
	if err := c.ints(in.w, d, p.buyer).cents(p.amount).step(c.sql.chargeOn, nil); err != nil {
		return err
	}
	return c.touched(in, 0, 1, "the update of a customer")
}

func (c *client) buyerRow(_ int, columns [][]byte) error {
	c.parcels.buyer = number(columns[0])
	return nil
}

func (c *client) amountRow(_ int, columns [][]byte) error {
	c.parcels.amount += number(columns[0])
	return nil
}

// stockLevel implements clause 2.8.2: the number of low items among the last 20 orders of a district. It is one
// statement, so that it sees one state; for separate statements the clause only requires that they read committed
// data.
func (c *client) stockLevel(in *input) error {
	p := &c.parcels
	p.rows = 0
	if !c.apart {
		if err := c.ints(in.w, in.d, in.least).step(c.sql.low, p.onCount); err != nil {
			return err
		}
		return c.counted(in)
	}
	if err := c.alone(c.begin); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d).step(c.sql.nextOrder, p.onCount); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, in.least, p.count).step(c.sql.lowOf, p.onCount); err != nil {
		return err
	}
	if err := c.alone(c.commit); err != nil {
		return err
	}
	return c.counted(in)
}

func (c *client) counted(in *input) error {
	if c.parcels.rows == 0 {
		return fmt.Errorf("%s of warehouse %d, district %d, copy %d: no result", in.kind, in.w, in.d, in.copy)
	}
	return nil
}

func (c *client) countRow(_ int, columns [][]byte) error {
	c.parcels.rows++
	c.parcels.count = number(columns[0])
	return nil
}
