package category

// cpuRules returns the rules for CPU time; docs/explain.md lists them in a table. Those for whole stacks come first; of
// the others, the first one that matches a frame counts.
func cpuRules() []symbolRule {
	return []symbolRule{
		{category: Compiling, whole: true, threads: []string{"C1 Compiler*", "C2 Compiler*", "JVMCI*", "Sweeper thread"},
			modules: []string{"libjvm.so"}, functions: []string{"CompileBroker::*", "C2Compiler::*", "Compile::Compile*", "Compilation::Compilation*"}},
		{category: Collection, whole: true, threads: []string{"GC Thread*", "G1 *", "ParGC*", "ZWorker*", "ZDirector*", "ZDriver*", "ZStat*", "XWorker*", "XDirector*", "XDriver*", "Shenandoah*"},
			modules: []string{"libjvm.so"}, functions: []string{"G1*", "VM_G1*", "VM_Gen*", "VM_Parallel*", "VM_Serial*", "VM_CollectFor*", "PS*", "ParallelScavenge*", "ParallelCompact*", "DefNewGeneration::*",
				"TenuredGeneration::*", "SerialHeap::*", "SerialFullGC::*", "SerialBlockOffset*", "GenCollectedHeap::*", "GenMarkSweep::*", "MarkSweep::*", "CardTableRS::*", "Z*::*", "Shenandoah*"}},
		{category: Collection, whole: true,
			functions: []string{"runtime.gcBgMarkWorker*", "runtime.gcAssist*", "runtime.gcDrain*", "runtime.gcStart*", "runtime.gcMark*", "runtime.bgsweep*", "runtime.bgscavenge*", "runtime.sweepone*",
				"runtime.(*mspan).sweep*", "runtime.(*sweepLocked).*", "runtime.scanobject*", "runtime.greyobject*", "runtime.wbBufFlush*"}},
		{category: Scheduling, whole: true,
			functions: []string{"runtime.schedule", "runtime.findRunnable*", "runtime.park_m", "runtime.stopm", "runtime.startm", "runtime.wakep", "runtime.goready*", "runtime.ready", "runtime.notesleep*",
				"runtime.notetsleep*", "runtime.mPark*", "runtime.sysmon", "runtime.gosched*", "runtime.goschedImpl"}},
		{category: Locks, whole: true, in: inKernel,
			functions: []string{"futex_*", "do_futex", "__futex_*", "__x64_sys_futex*", "__arm64_sys_futex*", "native_queued_spin_lock_slowpath", "queued_spin_lock_slowpath", "__pv_queued_spin_lock_slowpath",
				"__mutex_lock*", "mutex_spin_on_owner", "rwsem_*", "osq_lock", "__do_semtimedop", "do_semtimedop"}},

		{category: Copying, in: inKernel,
			functions: []string{"copy_user_*", "copy_to_iter", "_copy_to_iter", "copy_from_iter*", "_copy_from_iter*", "copy_page_*_iter*", "copy_folio_from_iter*", "rep_movs_alternative", "__arch_copy_*", "_copy_to_user", "_copy_from_user",
				"copyout", "copyin", "memcpy*", "__memcpy*", "memmove", "__memmove", "memset*", "__memset*", "csum_and_copy_*", "copy_mc_*"}},
		{category: Copying, functions: []string{"*memcpy*", "*memmove*", "*memset*", "*memclr*", "*arraycopy*", "Copy::*", "*unsafe_setmemory*", "*unsafecopy*"}},
		{category: Copying, in: inJava, functions: []string{"java.lang.System.arraycopy", "*arraycopy*", "jdk.internal.misc.Unsafe.copyMemory*", "jdk.internal.misc.Unsafe.setMemory*", "jdk.internal.misc.ScopedMemoryAccess.copyMemory*", "java.util.Arrays.copyOf*", "java.util.Arrays.fill"}},

		{category: Crypto, in: inKernel, functions: []string{"crypto_*", "aesni_*", "aes_*", "gcm_*", "ghash_*", "chacha_*", "poly1305_*", "sha1_*", "sha256_*", "sha512_*", "tls_sw_*", "tls_encrypt*", "tls_decrypt*"}},
		{category: Crypto, modules: []string{"libcrypto*", "libssl*", "libamazonCorrettoCryptoProvider*", "libgnutls*", "libnss3*", "libsoftokn*", "libfreebl*", "libsodium*", "libgcrypt*", "libnettle*", "libnetty_tcnative*"}},
		{category: Crypto, functions: []string{"crypto/*", "crypto.*", "vendor/golang.org/x/crypto/*", "golang.org/x/crypto/*", "github.com/minio/sio*", "math/big.*",
			"*aescrypt*", "*AESCrypt*", "*aesgcm*", "*ghash*", "*counterMode*", "*cipherBlockChaining*", "*electronicCodeBook*", "*chacha20*", "*ChaCha20*", "*poly1305*", "*sha1_impl*", "*sha256_impl*", "*sha512_impl*", "*sha3_impl*", "*md5_impl*",
			"*montgomeryMultiply*", "*montgomerySquare*", "*multiplyToLen", "*squareToLen", "aesni_*", "aes_v8_*", "gcm_*", "EVP_*", "SSL_*", "AES_*"}},
		{category: Crypto, in: inJava, functions: []string{"com.sun.crypto.provider.*", "sun.security.*", "javax.crypto.*", "javax.net.ssl.*", "java.security.MessageDigest*", "java.security.Signature*", "java.security.SecureRandom*", "com.amazon.corretto.crypto.*", "org.bouncycastle.*",
			"java.math.BigInteger.*", "*aescrypt*", "*AESCrypt*", "*aesgcm*", "*ghash*", "*chacha20*", "*sha1_impl*", "*sha256_impl*", "*sha512_impl*", "*sha3_impl*", "*md5_impl*", "poly1305_*", "montgomery*", "multiplyToLen*", "squareToLen*", "mulAdd", "intpoly_*"}},

		{category: Compression, modules: []string{"libz.so*", "libz-ng*", "libzip.so*", "libzstd*", "liblz4*", "libsnappy*", "libdeflate*", "libbrotli*", "liblzma*", "libbz2*"}},
		{category: Compression, functions: []string{"compress/*", "github.com/klauspost/compress/*", "github.com/golang/snappy*", "github.com/pierrec/lz4*", "github.com/andybalholm/brotli*",
			"ZSTD_*", "HUF_*", "FSE_*", "LZ4_*", "LZ4HC_*", "deflate*", "inflate*", "longest_match*", "snappy::*", "pglz_*"}},
		{category: Compression, in: inJava, functions: []string{"java.util.zip.Deflater*", "java.util.zip.Inflater*", "java.util.zip.GZIP*", "java.util.zip.ZStreamRef*", "com.github.luben.zstd.*", "net.jpountz.lz4.*", "org.xerial.snappy.*",
			"org.apache.kafka.common.compress.*", "io.netty.handler.codec.compression.*"}},
		{category: Compression, in: inKernel, functions: []string{"zstd_*", "ZSTD_*", "lz4_*", "LZ4_*", "lzo*", "zlib_*", "deflate_*"}},

		{category: Checksum, functions: []string{"*crc32*", "*CRC32*", "*adler32*", "pg_checksum*", "hash/crc*", "hash/adler*", "github.com/minio/highwayhash*", "*xxhash*", "XXH*"}},
		{category: Checksum, in: inJava, functions: []string{"java.util.zip.CRC32*", "java.util.zip.Checksum*", "java.util.zip.Adler32*", "*updateBytesCRC32*", "*updateBytesAdler32*", "org.apache.kafka.common.utils.Crc32*", "org.apache.kafka.common.utils.Checksums*", "net.jpountz.xxhash.*"}},
		{category: Checksum, in: inKernel, functions: []string{"crc32*", "__crc32*", "crc_*"}},

		{category: Locks, functions: []string{"ObjectMonitor::*", "ObjectSynchronizer::*", "Parker::*", "PlatformEvent::*", "PlatformMonitor::*", "Monitor::lock*", "Mutex::lock*", "LightweightSynchronizer::*", "Unsafe_Park", "Unsafe_Unpark",
			"SharedRuntime::complete_monitor_*", "SharedRuntime::monitor_*", "pthread_mutex_*", "__pthread_mutex_*", "___pthread_mutex_*", "pthread_cond_*", "__pthread_cond_*", "___pthread_cond_*", "pthread_rwlock_*", "__pthread_rwlock_*", "__lll_lock_*", "__lll_unlock_*", "__futex_*",
			"__new_sem_*", "sem_wait*", "sem_post*", "LWLock*", "s_lock*", "perform_spin_delay", "LockAcquire*", "LockRelease*", "LockCheckConflicts", "ProcSleep", "ProcLockWakeup", "DeadLock*", "PGSemaphore*",
			"runtime.lock*", "runtime.unlock*", "runtime.procyield*", "runtime.semacquire*", "runtime.semrelease*", "runtime.futex*", "sync.(*Mutex).*", "sync.(*RWMutex).*", "sync.(*Cond).*", "internal/sync.*", "sync.runtime_*"}},
		{category: Locks, in: inJava, functions: []string{"java.util.concurrent.locks.*", "jdk.internal.misc.Unsafe.park", "jdk.internal.misc.Unsafe.unpark", "java.lang.Object.wait*", "java.lang.Object.notify*", "monitorenter*", "monitorexit*"}},

		{category: KernelMemory, in: inKernel,
			functions: []string{"clear_page*", "clear_huge_page*", "copy_page*", "asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault", "do_page_fault", "do_mem_abort", "el0_da", "handle_mm_fault", "__handle_mm_fault", "do_anonymous_page*", "do_fault*", "do_wp_page", "filemap_map_pages", "next_uptodate_folio",
				"__alloc_pages*", "alloc_pages*", "__alloc_frozen_pages*", "get_page_from_freelist", "rmqueue*", "free_unref_*", "free_pages*", "__free_pages*", "free_pcppages_bulk", "release_pages", "lru_*", "folio_batch_*", "__folio_batch_*",
				"shrink_*", "try_to_free_*", "kswapd*", "zap_*", "unmap_*", "do_mmap*", "__do_munmap*", "do_vmi_*", "do_madvise*", "madvise_*", "tlb_*", "flush_tlb_*", "mem_cgroup_*", "__mem_cgroup_*", "charge_memcg", "shmem_*", "compact_*", "change_protection*"}},
		{category: KernelNetwork, in: inKernel,
			functions: []string{"tcp_*", "__tcp_*", "tcp4_*", "inet_*", "inet6_*", "__inet_*", "sock_*", "__sock_*", "____sys_sendmsg", "____sys_recvmsg", "___sys_*msg", "__sys_send*", "__sys_recv*", "sk_*", "__sk_*", "lock_sock*", "release_sock", "__release_sock",
				"skb_*", "__skb_*", "__alloc_skb", "alloc_skb*", "kfree_skb*", "consume_skb", "__kfree_skb", "napi_*", "__napi_*", "net_*", "netif_*", "__netif_*", "dev_*", "__dev_*", "ip_*", "__ip_*", "ip6_*", "ipv6_*", "udp_*", "unix_*", "nf_*", "__nf_*", "ipt_*", "iptable_*", "nft_*",
				"loopback_*", "process_backlog", "eth_*", "veth_*", "br_*", "virtnet_*", "ena_*", "validate_xmit_*", "sch_direct_xmit", "__qdisc_run", "fq_*", "pfifo_*", "do_accept", "__sys_accept*", "simple_copy_to_iter", "sendfile*", "splice_*", "do_splice*", "do_sendfile"}},
		{category: KernelDisk, in: inKernel,
			functions: []string{"ext4_*", "__ext4_*", "xfs_*", "btrfs_*", "jbd2_*", "__jbd2_*", "start_this_handle", "f2fs_*", "ovl_*", "fuse_*", "blk_*", "__blk_*", "bio_*", "__bio_*", "submit_*", "__submit_*", "nvme_*", "scsi_*", "sd_*", "virtblk_*", "virtscsi_*", "dm_*", "md_*",
				"vfs_fsync*", "do_fsync", "__x64_sys_fdatasync", "__x64_sys_fsync", "__arm64_sys_fdatasync", "__arm64_sys_fsync", "file_write_and_wait*", "filemap_*", "__filemap_*", "generic_file_*", "__generic_file_*", "generic_perform_write", "page_cache_*", "pagecache_*", "grab_cache_*", "iomap_*",
				"writeback_*", "__writeback_*", "wb_*", "do_writepages", "write_cache_pages", "balance_dirty_*", "mpage_*", "block_*", "__block_*", "mark_buffer_*", "create_empty_buffers", "folio_*", "__folio_*", "mark_page_accessed", "dio_*", "__blockdev_*", "io_schedule*", "io_submit_*", "aio_*", "do_blockdev_*", "mod_delayed_work_on"}},
		{category: Scheduling, in: inKernel,
			functions: []string{"schedule", "__schedule", "schedule_*", "preempt_schedule*", "finish_task_switch", "try_to_wake_up", "ttwu_*", "wake_up_*", "default_wake_function", "autoremove_wake_function", "pick_next_*", "__pick_next_*", "put_prev_*", "set_next_*", "enqueue_*", "dequeue_*", "update_curr*", "update_load_avg*", "select_task_rq*",
				"context_switch*", "switch_mm*", "__switch_to*", "load_balance", "newidle_balance", "sched_*", "__sched_*", "scheduler_tick", "tick_*", "update_process_times", "hrtimer_*", "__hrtimer_*", "asm_sysvec_apic_timer_interrupt", "sysvec_apic_timer_interrupt", "asm_sysvec_reschedule_ipi", "sysvec_reschedule_ipi", "psi_*", "rcu_*", "perf_event_task_sched*", "ret_from_fork*"}},
		{category: SystemCalls, in: inKernel,
			functions: []string{"entry_SYSCALL_64*", "do_syscall_64", "x64_sys_call", "syscall_*", "el0_svc*", "el0t_64_sync*", "invoke_syscall*", "__x64_sys_*", "__arm64_sys_*", "ksys_*", "do_epoll_*", "ep_*", "eventfd_*", "exit_to_user_mode*"}},

		{category: SystemCalls, modules: []string{"libc.so*", "libc-*", "libpthread*", "libnio.so", "libnet.so"},
			functions: []string{"write", "__write*", "__libc_write*", "__GI___libc_write", "read", "__read*", "__libc_read*", "__GI___libc_read", "*writev*", "*readv*", "*pwrite*", "*pread*", "*send*", "*recv*", "*epoll_*", "*poll*", "*fsync*", "*fdatasync*", "syscall", "__syscall*", "*accept*", "Java_*"}},
		{category: SystemCalls, functions: []string{"syscall.*", "internal/poll.*", "internal/runtime/syscall*", "runtime/internal/syscall*", "golang.org/x/sys/unix.*", "runtime.netpoll*", "runtime.entersyscall*", "runtime.exitsyscall*", "runtime.reentersyscall*"}},
		{category: SystemCalls, in: inJava, functions: []string{"sun.nio.ch.*", "io.netty.channel.epoll.Native*", "io.netty.channel.unix.*"}},
	}
}
