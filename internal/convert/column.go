package convert

// chunk is the number of items of a column that are contiguous. Growth copies none of them, so that even the largest
// input takes no more memory than its items.
const chunk = 1 << 12

// column is a list that grows without copying.
type column[T any] struct {
	chunks [][]T
}

func (c *column[T]) add(item T) {
	last := len(c.chunks) - 1
	if last < 0 || len(c.chunks[last]) == chunk {
		c.chunks = append(c.chunks, make([]T, 0, chunk))
		last++
	}
	c.chunks[last] = append(c.chunks[last], item)
}

func (c *column[T]) at(i int) *T { return &c.chunks[i/chunk][i%chunk] }

func (c *column[T]) len() int {
	last := len(c.chunks) - 1
	if last < 0 {
		return 0
	}
	return last*chunk + len(c.chunks[last])
}
