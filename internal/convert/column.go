package convert

// chunk is how many items of a column lie together. Growth copies none of
// them, so that the largest input takes no more memory than its items do.
const chunk = 1 << 12

// column is a list that grows without being copied.
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
