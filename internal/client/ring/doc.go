// Package ring is a raw io_uring for the hot loop of one thread: reads, writes and syncs of registered files and
// buffers, many submitted and awaited by one system call, and nothing allocated after New.
// A Ring belongs to the thread that makes it: lock the goroutine to its thread before New, and call every method
// there. Its loop is
//
//	for r.Free() > 0 {
//		r.Write(file, buffer, len, offset, id)
//	}
//	r.Enter(1, timeout) // submits all of them, and waits for at least one
//	for id, res, ok := r.Next(); ok; id, res, ok = r.Next() {
//		...
//	}
//
// The layout of the memory shared with the kernel is that of Linux' include/uapi/linux/io_uring.h; Linux 5.11 is the
// oldest version with everything needed here (IORING_FEAT_EXT_ARG), and 6.1 the first with everything that makes it
// fast.
package ring
