package category

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// frames reads "function@module" innermost first: k is the kernel, j Java.
func frames(texts ...string) []record.Frame {
	var out []record.Frame
	for _, text := range texts {
		name, module, _ := strings.Cut(text, "@")
		switch module {
		case "k":
			module = record.ModuleKernel
		case "j":
			module = record.ModuleJava
		}
		out = append(out, record.Frame{Function: name, Module: module})
	}
	return out
}

func TestCategories(t *testing.T) {
	for _, c := range []struct {
		want   Name
		thread string
		frames []record.Frame
	}{
		{Crypto, "", frames("com.sun.crypto.provider.GHASH.processBlock@j", "kafka.network.Processor.run@j")},
		{Crypto, "", frames("java.nio.Buffer.position@j", "sun.security.ssl.SSLEngineImpl.unwrap@j",
			"org.apache.kafka.common.network.SslTransportLayer.read@j")},
		{Crypto, "", frames("galoisCounterMode_AESCrypt@j", "com.sun.crypto.provider.GaloisCounterMode.implGCMCrypt0@j")},
		{Crypto, "", frames("StubRoutines::aescrypt_encryptBlock@")},
		{Crypto, "", frames("@libcrypto.so.3", "main@nginx")},
		{Crypto, "", frames("crypto/internal/fips140/aes/gcm.gcmAesEnc@plimsoll", "crypto/tls.(*Conn).Write@plimsoll")},
		{Crypto, "", frames("com/sun/crypto/provider/GHASH.processBlock@j")},
		{Copying, "", frames("__memmove_avx_unaligned_erms@libc.so.6", "com.sun.crypto.provider.GHASH.processBlock@j")},
		{Copying, "", frames("jbyte_disjoint_arraycopy@j", "org.apache.kafka.common.record.MemoryRecords.writeTo@j")},
		{Copying, "", frames("rep_movs_alternative@k", "_copy_to_iter@k", "tcp_recvmsg_locked@k", "do_syscall_64@k")},
		{Copying, "", frames("runtime.memmove@plimsoll")},
		{Copying, "", frames("copy_page_to_iter@k", "filemap_read@k", "do_syscall_64@k")},
		{Copying, "", frames("copy_page_from_iter_atomic@k", "generic_perform_write@k", "do_syscall_64@k")},
		{Compression, "", frames("longest_match@libz.so.1", "java.util.zip.Deflater.deflateBytesBytes@j")},
		{Compression, "", frames("ZSTD_compressBlock_fast@libzstd-jni-1.5.6-4.so")},
		{Compression, "", frames("org.example.Sink.write@j", "java.util.zip.GZIPOutputStream.write@j",
			"kafka.log.LogValidator.validate@j")},
		{Compression, "", frames("github.com/klauspost/compress/zstd.(*Encoder).EncodeAll@plimsoll")},
		{Checksum, "", frames("updateBytesCRC32C@j", "org.apache.kafka.common.record.DefaultRecordBatch.ensureValid@j")},
		{Checksum, "", frames("pg_comp_crc32c_sse42@postgres", "XLogInsertRecord@postgres")},
		{KernelNetwork, "", frames("_raw_spin_lock_bh@k", "lock_sock_nested@k", "tcp_sendmsg@k", "do_syscall_64@k",
			"java.nio.X.y@j")},
		{KernelNetwork, "", frames("__kmalloc_node_track_caller@k", "__alloc_skb@k", "tcp_stream_alloc_skb@k")},
		{KernelNetwork, "", frames("___sys_recvmsg@k", "do_syscall_64@k")},
		{KernelDisk, "", frames("ext4_da_write_end@k", "generic_perform_write@k", "ksys_write@k", "do_syscall_64@k")},
		{KernelDisk, "", frames("_raw_spin_lock@k", "blk_mq_submit_bio@k", "do_fsync@k", "do_syscall_64@k")},
		{KernelMemory, "", frames("clear_page_erms@k", "get_page_from_freelist@k", "asm_exc_page_fault@k",
			"com.sun.crypto.provider.GHASH.processBlock@j")},
		{KernelMemory, "", frames("copy_page@k", "do_wp_page@k", "asm_exc_page_fault@k")},
		{Locks, "", frames("_raw_spin_lock@k", "futex_wake@k", "do_futex@k", "__x64_sys_futex@k", "do_syscall_64@k",
			"java.util.concurrent.locks.LockSupport.unpark@j")},
		{Locks, "", frames("__schedule@k", "schedule@k", "futex_wait_queue@k", "do_syscall_64@k")},
		{Locks, "", frames("s_lock@postgres", "LWLockAcquire@postgres")},
		{Locks, "", frames("ObjectMonitor::TrySpin@libjvm.so", "org.example.Hot.add@j")},
		{Locks, "", frames("sync.(*Mutex).lockSlow@plimsoll")},
		{Scheduling, "", frames("finish_task_switch.isra.0@k", "__schedule@k", "schedule@k", "ep_poll@k", "do_syscall_64@k")},
		{Scheduling, "", frames("futex_wait@k", "do_futex@k", "runtime.futex@plimsoll", "runtime.stopm@plimsoll",
			"runtime.findRunnable@plimsoll", "runtime.schedule@plimsoll")},
		{Collection, "GC Thread#0", frames("clear_page_erms@k")},
		{Collection, "", frames("__memmove_avx_unaligned_erms@libc.so.6",
			"G1ParScanThreadState::do_copy_to_survivor_space@libjvm.so")},
		{Collection, "", frames("ZBarrier::load_barrier_on_oop_slow_path@libjvm.so", "kafka.server.KafkaApis.handle@j")},
		{Collection, "", frames("runtime.memclrNoHeapPointers@plimsoll", "runtime.gcBgMarkWorker@plimsoll")},
		{Collection, "", frames("runtime.(*mspan).sweep@plimsoll", "runtime.mallocgc@plimsoll")},
		{Compiling, "C2 CompilerThread0", frames("IndexSetIterator::advance_and_next@libjvm.so")},
		{Compiling, "", frames("PhaseChaitin::Split@libjvm.so", "Compile::Compile@libjvm.so")},
		{Compiling, "", frames("ZBarrierSetC2::late_barrier_analysis@libjvm.so", "Compile::Compile@libjvm.so")},
		{SystemCalls, "", frames("entry_SYSCALL_64_after_hwframe@k", "__write@libc.so.6")},
		{SystemCalls, "", frames("exit_to_user_mode_prepare@k", "com.sun.crypto.provider.GHASH.processBlock@j")},
		{SystemCalls, "", frames("sun.nio.ch.SocketDispatcher.read0@j")},
		{Application, "", frames("org.apache.kafka.storage.internals.log.UnifiedLog.append@j")},
		{Application, "", frames("@", "kafka.server.KafkaApis.handle@j")},
		{Application, "", frames("heap_hot_search_buffer@postgres")},
		{Application, "", frames("Zone::reset@example")},
		{Application, "", frames("plimsoll/internal/workload/memory.copyAll@plimsoll", "runtime.goexit@plimsoll")},
		{Unattributed, "", nil},
		{Unattributed, "", frames("@libfoo.so", "start_thread@libc.so.6", "clone3@libc.so.6")},
		{Unattributed, "", frames("[unknown_Java]@")},
	} {
		if got := newSorter(cpuRules()).cpu(record.Stack{Thread: c.thread, Frames: c.frames, N: 1}); got != c.want {
			t.Errorf("%s %v is %q, want %q", c.thread, c.frames, got, c.want)
		}
	}
}

func TestCategoriesOfWaits(t *testing.T) {
	for _, c := range []struct {
		want   Name
		thread string
		frames []record.Frame
	}{
		{WaitingDisk, "", frames("io_schedule@k", "folio_wait_bit_common@k", "file_write_and_wait_range@k",
			"ext4_sync_file@k", "do_fsync@k")},
		{WaitingDisk, "", frames("jbd2_log_wait_commit@k")},
		{WaitingDisk, "", frames("fdatasync@k")},
		{WaitingNetwork, "", frames("sk_stream_wait_memory@k", "tcp_sendmsg_locked@k")},
		{WaitingIdle, "", frames("ep_poll@k", "do_epoll_wait@k", "do_syscall_64@k")},
		{WaitingIdle, "", frames("epoll_wait@k")},
		{WaitingParked, "", frames("futex_wait_queue@k", "futex_wait@k", "do_futex@k")},
		{Locks, "", frames(record.ContendedMutex+"@k", "futex_wait_queue@k", "futex_wait@k", "do_futex@k")},
		{WaitingIdle, "C2 CompilerThre", frames("futex_wait_queue@k")},
		{WaitingIdle, "", frames("futex_wait_queue@k", "jdk.internal.misc.Unsafe.park@j",
			"java.util.concurrent.ArrayBlockingQueue.poll@j")},
		{Locks, "", frames("futex_wait_queue@k", "jdk.internal.misc.Unsafe.park@j",
			"java.util.concurrent.locks.ReentrantLock.lock@j")},
		{Locks, "", frames("rwsem_down_write_slowpath@k", "ext4_buffered_write_iter@k")},
		{Locks, "", frames("do_semtimedop@k", "PGSemaphoreLock@postgres")},
		{Unattributed, "", nil},
		{Unattributed, "", frames("something_new@k")},
	} {
		if got := newSorter(waitRules()).wait(record.Stack{Thread: c.thread, Frames: c.frames, N: 1}); got != c.want {
			t.Errorf("%s %v is %q, want %q", c.thread, c.frames, got, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"schedule", "schedule", true},
		{"schedule", "schedule_timeout", false},
		{"schedule", "__schedule", false},
		{"futex_*", "futex_wait", true},
		{"futex_*", "do_futex_wait", false},
		{"*memcpy*", "memcpy", true},
		{"*memcpy*", "__memcpy_avx", true},
		{"*memcpy*", "memcp", false},
		{"*squareToLen", "implSquareToLen", false},
		{"*squareToLen", "x_squareToLen", true},
		{"*squareToLen", "squareToLen0", false},
		{"copy_page_*_iter*", "copy_page_to_iter", true},
		{"copy_page_*_iter*", "copy_page_from_iter_atomic", true},
		{"copy_page_*_iter*", "copy_page_iter", false},
		{"copy_page_*_iter*", "copy_page", false},
		{"___sys_*msg", "___sys_sendmsg", true},
		{"___sys_*msg", "___sys_sendmsg_locked", false},
		{"___sys_*msg", "____sys_sendmsg", false},
		{"Z*::*", "ZBarrier::mark", true},
		{"Z*::*", "Zero", false},
		{"Z*::*", "OldZ::mark", false},
		{"runtime.(*mspan).sweep*", "runtime.(*mspan).sweep.func1", true},
		{"runtime.(*mspan).sweep*", "runtime.(*mheap).sweep", false},
		{"*a*b*c", "xaybzc", true},
		{"*a*b*c", "xbyazc", false},
		{"ab*ba", "aba", false},
		{"ab*ba", "abba", true},
		{"a*a*a", "aa", false},
		{"*", "", true},
		{"**", "anything", true},
		{"", "", true},
		{"", "a", false},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q means %q: %t, want %t", c.pattern, c.name, got, c.want)
		}
	}
}

// TestNoPatternIsDead: a name that is made of a pattern is one that its rule speaks of.
func TestNoPatternIsDead(t *testing.T) {
	made := func(pattern string) string { return strings.ReplaceAll(pattern, "*", "x") }
	modules := map[whereabouts]string{inKernel: record.ModuleKernel, inJava: record.ModuleJava}
	for _, r := range slices.Concat(cpuRules(), waitRules()) {
		for _, p := range r.threads {
			if !matches(p, made(p)) {
				t.Errorf("%s: thread %q is none", r.category, p)
			}
		}
		module := modules[r.in]
		for _, p := range r.modules {
			module = made(p)
			f := record.Frame{Module: module}
			if len(r.functions) > 0 {
				f.Function = made(r.functions[0])
			}
			if !r.holds(f) {
				t.Errorf("%s: the rule says nothing of %v, by module %q", r.category, f, p)
			}
		}
		for _, p := range r.functions {
			if f := (record.Frame{Function: made(p), Module: module}); !r.holds(f) {
				t.Errorf("%s: the rule says nothing of %v, by %q", r.category, f, p)
			}
		}
	}
}

// TestAllHoldsEveryCategory: each constant of this package once.
func TestAllHoldsEveryCategory(t *testing.T) {
	var declared []Name
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				declared = append(declared, namesOf(t, g)...)
			}
		}
	}
	all := All()
	slices.Sort(declared)
	slices.Sort(all)
	if len(declared) == 0 || !slices.Equal(all, declared) {
		t.Errorf("all are %q, the constants are %q", all, declared)
	}
}

// namesOf are the values of constants that are categories.
func namesOf(t *testing.T, g *ast.GenDecl) []Name {
	t.Helper()
	var out []Name
	for _, s := range g.Specs {
		v := s.(*ast.ValueSpec)
		if typ, ok := v.Type.(*ast.Ident); !ok || typ.Name != "Name" {
			continue
		}
		for _, value := range v.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Name(text))
		}
	}
	return out
}

// TestCategoriesAreDocumented: docs/explain.md has every category once, and its examples are patterns of the rules.
func TestCategoriesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, rules := range map[string][]symbolRule{
		"CPU time": append(cpuRules(), symbolRule{category: Application}, symbolRule{category: Unattributed}),
		"waits":    append(waitRules(), symbolRule{category: WaitingStandby}, symbolRule{category: Unattributed}),
	} {
		patterns := map[Name][]string{}
		for _, r := range rules {
			patterns[r.category] = slices.Concat(patterns[r.category], r.threads, r.modules, r.functions)
		}
		_, table, _ := strings.Cut(string(text), "<!-- "+name+" -->\n")
		table, _, _ = strings.Cut(table, "\n\n")
		for i, row := range strings.Split(table, "\n") {
			if i < 2 { // its head
				continue
			}
			cells := strings.Split(row, "|")
			of, ok := patterns[Name(strings.TrimSpace(cells[1]))]
			if !ok {
				t.Errorf("%s: no category, or twice: %q", name, row)
			}
			for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cells[3], -1) {
				if !slices.Contains(of, m[1]) {
					t.Errorf("%s: no rule of %s has %q", name, strings.TrimSpace(cells[1]), m[1])
				}
			}
			delete(patterns, Name(strings.TrimSpace(cells[1])))
		}
		for missing := range patterns {
			t.Errorf("docs/explain.md lacks %q among %s", missing, name)
		}
	}
}

// trial is one that has a single value.
func trial(seconds float64, name, unit string, value float64) record.Trial {
	return record.Trial{DurationS: seconds, Values: []record.Value{
		{Metric: record.Metric{Name: name, Unit: unit}, Value: value}}}
}

func TestCostsDivideTheCPUTime(t *testing.T) {
	tr := trial(0, record.CPUPerOp, "s", 10e-6)
	p := record.Profile{PeriodNs: 1e7, Stacks: []record.Stack{
		{Frames: frames("com.sun.crypto.provider.GHASH.processBlock@j"), N: 30}, {Frames: frames("@"), N: 10},
		{Frames: frames("kafka.A.b@j"), N: 60}}}
	got, ok := new(Memory).CPUCosts(tr, p)
	sum := 0.0
	for _, c := range got.Each {
		sum += c.PerOp
	}
	if !ok || got.Of(Crypto).Share != .3 || got.Of(Unattributed).Share != .1 || sum < 9.99e-6 || sum > 10.01e-6 ||
		got.Each[0].Category != Application {
		t.Errorf("got %+v, which is %g", got, sum)
	}
	for _, c := range []struct {
		patterns []string
		want     float64
	}{{[]string{"com.sun.crypto.*"}, 3e-6}, {[]string{"com.*.GHASH.*", "kafka.A.b"}, 9e-6}, {[]string{"GHASH"}, 0},
		{nil, 0}} {
		if of := got.OfFunctions(c.patterns...); math.Abs(of-c.want) > 1e-12 {
			t.Errorf("functions %q take %g s, want %g", c.patterns, of, c.want)
		}
	}
	if _, ok := new(Memory).CPUCosts(tr, record.Profile{}); ok {
		t.Error("a profile without samples has costs")
	}
}

// TestWaitsAreForAnOperation: 200 looks of 50 ms at one thread in 10 s with 1000 operations are 10 ms of a thread for
// each.
func TestWaitsAreForAnOperation(t *testing.T) {
	tr := trial(10, record.Throughput, "op/s", 100)
	got, ok := new(Memory).WaitCosts(tr,
		record.Profile{PeriodNs: 50e6, Stacks: []record.Stack{
			{Frames: frames("do_fsync@k"), N: 50}, {Frames: frames("ep_poll@k"), N: 150}}})
	if v := got.Of(WaitingDisk).PerOp; !ok || v < .00249 || v > .00251 {
		t.Errorf("got %+v", got)
	}
}
