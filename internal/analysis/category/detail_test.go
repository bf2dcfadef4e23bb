package category

import (
	"testing"

	"plimsoll/internal/record"
)

func kernelStack(functions ...string) record.Stack {
	var st record.Stack
	for _, f := range functions {
		st.Frames = append(st.Frames, record.Frame{Function: f, Module: record.ModuleKernel})
	}
	st.Frames = append(st.Frames, record.Frame{Function: "os.ReadFile", Module: "server"})
	return st
}

// TestSystemCalls: the call and the kind of its file, of stacks of real kernels.
func TestSystemCalls(t *testing.T) {
	objects := NewObjects()
	for _, c := range []struct {
		stack        record.Stack
		call, object string
	}{
		{kernelStack("seq_put_decimal_ull", "proc_pid_status", "proc_single_show", "seq_read_iter", "seq_read", "vfs_read",
			"ksys_read", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"), "read", "a file of /proc"},
		{kernelStack("copy_page_from_iter_atomic", "generic_perform_write", "ext4_buffered_write_iter", "vfs_write",
			"ksys_write", "do_syscall_64"), "write", "a file on ext4"},
		{kernelStack("__inode_lookup", "lookup_fast", "walk_component", "link_path_walk", "path_openat", "do_filp_open",
			"do_sys_openat2", "__x64_sys_openat"), "openat", lookedUp},
		{kernelStack("ext4_file_open", "do_dentry_open", "path_openat", "do_filp_open", "do_sys_openat2",
			"__arm64_sys_openat"), "openat", "a file on ext4"},
		{kernelStack("tcp_v4_rcv", "ip_local_deliver", "__tcp_transmit_skb", "tcp_write_xmit", "tcp_sendmsg",
			"sock_write_iter", "ksys_write"), "write", "a TCP socket"},
		{kernelStack("udp_sendmsg", "inet_sendmsg", "__sys_sendto", "__x64_sys_sendto"), "sendto", "a UDP socket"},
		{kernelStack("_raw_spin_lock", "asm_sysvec_apic_timer_interrupt"), "", ""},
		{record.Stack{Frames: []record.Frame{{Function: "proc_names", Module: "server"}}}, "", ""},
		{record.Stack{}, "", ""},
	} {
		if call, object := SystemCallOf(c.stack), objects.Of(c.stack); call != c.call || object != c.object {
			t.Errorf("%v: %q on %q, want %q on %q", c.stack.Frames, call, object, c.call, c.object)
		}
	}
}

// TestFunctionsThatSayNothing of the work: roots of threads, and entries of the kernel.
func TestFunctionsThatSayNothing(t *testing.T) {
	for name, want := range map[string]bool{"main.handle": true, "start_thread": false, "": false, "[unknown]": false} {
		if _, ok := FunctionOf(record.Frame{Function: name, Module: "server"}); ok != want {
			t.Errorf("%q: %t", name, ok)
		}
	}
	if name, ok := FunctionOf(record.Frame{Function: "do_syscall_64", Module: record.ModuleKernel}); ok {
		t.Error(name)
	}
}

// TestCodeOfJava: that of the innermost method, below the runtime's and the kernel's frames.
func TestCodeOfJava(t *testing.T) {
	st := kernelStack("vfs_write")
	st.Frames = append(st.Frames, record.Frame{Function: "a.B.c", Module: record.ModuleJava, Code: record.Interpreted},
		record.Frame{Function: "a.B.d", Module: record.ModuleJava, Code: record.Compiled})
	if got := RuntimeOf(st); got != record.Interpreted {
		t.Errorf("%q", got)
	}
}

func TestThreadsOfAPoolAreOne(t *testing.T) {
	for name, want := range map[string]string{"pool-1-thread-12": "pool-#-thread-#", "audit-log": "audit-log", "": ""} {
		if got := PoolOf(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
