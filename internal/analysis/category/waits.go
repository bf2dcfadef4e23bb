package category

import "plimsoll/internal/record"

// The categories of waiting time, in addition to Locks and Unattributed.
const (
	WaitingDisk    Name = "disk"
	WaitingNetwork Name = "network"
	WaitingMemory  Name = "memory"
	WaitingStandby Name = "standby" // for a database's synchronous standby, as its primary says
	WaitingParked  Name = "parked"  // in a futex: for work or for a lock, which a kernel stack does not tell
	WaitingIdle    Name = "idle"    // for work
)

// wait returns the category of a waiting stack.
func (s sorter) wait(st record.Stack) Name {
	if c := s.of(st); c != "" {
		return c
	}
	return Unattributed
}

// waitRules returns the rules for waits: by the frames of the program if there are any, because only those distinguish
// a thread without work from one that waits for a lock; else by the kernel's.
func waitRules() []symbolRule {
	return []symbolRule{
		{category: WaitingIdle, whole: true,
			threads: []string{"GC Thread*", "G1 *", "ParGC*", "ZWorker*", "Shenandoah*", "C1 Compiler*", "C2 Compiler*",
				"VM Periodic*", "Signal Dispatch*", "Reference Handl*", "Finalizer", "Common-Cleaner", "Service Thread",
				"Monitor Deflati*", "Attach Listener", "Notification Th*"}},
		{category: WaitingIdle, whole: true, in: inJava,
			functions: []string{"java.util.concurrent.ThreadPoolExecutor.getTask", "*BlockingQueue.poll", "*BlockingQueue.take",
				"java.util.concurrent.ForkJoinPool.awaitWork",
				"java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
				"java.util.concurrent.SynchronousQueue*"}},
		{category: WaitingIdle, whole: true,
			functions: []string{"runtime.findRunnable*", "runtime.stopm", "runtime.sysmon", "WaitLatch*", "WaitEventSet*"}},
		{category: Locks, whole: true, in: inJava,
			functions: []string{"java.util.concurrent.locks.ReentrantLock.lock*",
				"java.util.concurrent.locks.ReentrantReadWriteLock*", "java.util.concurrent.locks.StampedLock*"}},
		{category: Locks, whole: true, functions: []string{"ObjectMonitor::enter*", "ObjectMonitor::EnterI*",
			"ObjectSynchronizer::enter*", "LWLockAcquire*", "ProcSleep", "__lll_lock_wait*", "pthread_mutex_lock*",
			"___pthread_mutex_lock*"}},
		{category: Locks, in: inKernel, functions: []string{"rwsem_*", "__mutex_lock*", "down_*", "__down_*",
			"__do_semtimedop", "do_semtimedop", "posix_lock_*", "fcntl_setlk*", "flock", "fcntl", "semop", "semtimedop",
			record.ContendedMutex}},
		{category: WaitingDisk, in: inKernel,
			functions: []string{"io_schedule*", "jbd2_*", "do_fsync", "vfs_fsync*", "ext4_*", "xfs_*", "btrfs_*", "xlog_*",
				"blk_*", "bio_*", "submit_bio*", "folio_wait_*", "wait_on_page*", "__wait_on_buffer", "wait_on_buffer", "filemap_*",
				"__filemap_*", "file_write_and_wait*", "balance_dirty_*",
				"rq_qos_*", "wbt_*", "nvme_*", "dio_*", "iomap_*", "__blockdev_*", "io_cqring_wait*", "read_events", "aio_*",
				"__x64_sys_fdatasync", "__x64_sys_fsync", "__arm64_sys_fdatasync", "__arm64_sys_fsync", "wait_for_completion_io*",
				"blkdev_*", "fuse_*", "request_wait_answer", "fsync", "fdatasync", "sync_file_range", "msync", "fallocate",
				"ftruncate", "openat", "open", "pread64", "pwrite64", "preadv", "pwritev", "io_getevents", "io_uring_enter"}},
		{category: WaitingNetwork, in: inKernel,
			functions: []string{"sk_stream_wait_*", "tcp_sendmsg*", "sock_alloc_send_*", "unix_wait_for_peer",
				"unix_stream_sendmsg", "inet_stream_connect", "inet_wait_for_connect", "sendto", "sendmsg", "sendfile", "connect"}},
		{category: WaitingMemory, in: inKernel,
			functions: []string{"shrink_*", "throttle_direct_*", "mem_cgroup_*", "try_to_free_*", "swap_*", "do_swap_page"}},
		{category: WaitingIdle, in: inKernel,
			functions: []string{"ep_poll", "do_epoll_*", "do_poll*", "do_sys_poll", "poll_schedule_*", "do_select",
				"core_sys_select", "inet_csk_accept", "inet_csk_wait*", "inet_accept", "unix_stream_*", "tcp_recvmsg*",
				"sk_wait_data", "__skb_wait_*", "skb_wait_*", "__skb_recv_*", "unix_accept", "pipe_read", "pipe_wait*",
				"do_nanosleep", "hrtimer_nanosleep",
				"common_nsleep*", "do_sigtimedwait", "do_sigsuspend", "sigsuspend", "do_wait", "kernel_wait*", "eventfd_read",
				"signalfd_*", "timerfd_*", "inotify_read", "wait_woken", "do_pause", "__x64_sys_pause", "tty_*", "n_tty_*",
				"epoll_wait", "epoll_pwait", "poll", "ppoll", "select", "pselect6", "accept", "accept4", "recvfrom", "recvmsg",
				"nanosleep", "clock_nanosleep", "wait4", "waitid", "pause", "rt_sigtimedwait", "rt_sigsuspend"}},
		{category: WaitingParked, in: inKernel,
			functions: []string{"futex_*", "do_futex", "__futex_*", "__x64_sys_futex*", "__arm64_sys_futex*", "futex"}},
	}
}
