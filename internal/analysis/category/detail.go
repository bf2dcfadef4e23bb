package category

import (
	"cmp"
	"strings"

	"plimsoll/internal/record"
)

// Broad reports whether a category holds work of many kinds, so that its name alone does not say what to change.
func Broad(name Name) bool {
	switch name {
	case Crypto, Compression, Checksum, Compiling, Collection:
		return false
	}
	return true
}

// FunctionOf returns a frame's function; false if it has no name, or one that every stack has.
func FunctionOf(f record.Frame) (string, bool) {
	if !named(f) {
		return "", false
	}
	name := plainName(f)
	return name, !matchesAny(roots(), name) && !matchesAny(entries(), name)
}

// entries returns the functions through which every system call enters the kernel, and those of Go that make them.
func entries() []string {
	return []string{"entry_SYSCALL*", "do_syscall_*", "x64_sys_call", "el0*", "invoke_syscall*", "do_el0_svc*",
		"syscall_enter*", "syscall_exit*", "vfs_read", "vfs_write", "asm_exc_page_fault", "ret_from_fork*",
		"internal/runtime/syscall*", "runtime/internal/syscall*", "syscall.Syscall*", "syscall.RawSyscall*"}
}

// SystemCallOf returns the system call that a stack is in; "" if it is in none, or if its frames do not tell.
func SystemCallOf(st record.Stack) string {
	for _, f := range upToBoundary(st.Frames) {
		if placeOfFrame(f) != inKernel || !named(f) {
			continue
		}
		if name := callNamed(plainName(f)); name != "" {
			return name
		}
	}
	return ""
}

// callNamed returns the system call that a function of the kernel implements.
func callNamed(function string) string {
	for _, prefix := range []string{"__x64_sys_", "__arm64_sys_", "__se_sys_", "__do_sys_", "ksys_", "__sys_"} {
		if name, ok := strings.CutPrefix(function, prefix); ok {
			return strings.TrimPrefix(name, "new") // uname and stat are newuname and newstat
		}
	}
	return ""
}

// objectRule tells by the kernel's functions with which kind of file or socket a system call works.
type objectRule struct {
	object    string
	functions []string
}

// lookedUp is the object of system calls that look a path up, if nothing tells its file system.
const lookedUp = "a path that is looked up"

// lookups returns the functions that look a path up.
func lookups() []string {
	return []string{"do_filp_open", "path_openat", "path_lookupat", "link_path_walk*", "walk_component", "lookup_fast",
		"filename_lookup", "getname_flags", "do_sys_openat2", "open_last_lookups"}
}

// objectRules returns the rules in the order in which they are tried.
func objectRules() []objectRule {
	return []objectRule{
		{"a file of /proc", []string{"proc_*", "pid_*", "do_task_stat", "task_mem", "meminfo_*", "show_stat", "stat_open",
			"loadavg_proc_*", "uptime_proc_*", "cpuinfo_*", "smaps_*", "show_map*"}},
		{"a file of /sys", []string{"kernfs_*", "sysfs_*"}},
		{"a file of a control group", []string{"cgroup_*"}},
		{"/dev/null", []string{"write_null", "read_null", "write_iter_null", "read_iter_null"}},
		{"the kernel's random numbers", []string{"urandom_*", "random_read*", "get_random_bytes_user"}},
		{"a file on ext4", []string{"ext4_*", "__ext4_*", "jbd2_*"}},
		{"a file on XFS", []string{"xfs_*"}},
		{"a file on Btrfs", []string{"btrfs_*"}},
		{"a file on F2FS", []string{"f2fs_*"}},
		{"a file on NFS", []string{"nfs_*", "nfs4_*"}},
		{"a file on FUSE", []string{"fuse_*"}},
		{"a file on an overlay", []string{"ovl_*", "backing_file_*"}},
		{"a file on tmpfs", []string{"shmem_*"}},
		{"a block device", []string{"blkdev_*", "__blkdev_*"}},
		{"a TCP socket", []string{"tcp_*", "__tcp_*", "tcp4_*", "tcp6_*"}},
		{"a UDP socket", []string{"udp_*", "udpv6_*"}},
		{"a Unix socket", []string{"unix_*"}},
		{"a netlink socket", []string{"netlink_*", "rtnl_*", "rtnetlink_*"}},
		{"a pipe", []string{"pipe_*", "anon_pipe_*", "fifo_*"}},
		{"an event descriptor", []string{"eventfd_*"}},
		{"a timer descriptor", []string{"timerfd_*"}},
		{"epoll", []string{"ep_*", "do_epoll_*", "eventpoll_*"}},
		{"a terminal", []string{"tty_*", "n_tty_*", "pty_*"}},
		{"a futex", []string{"futex_*", "do_futex", "__futex_*"}},
		{lookedUp, lookups()},
	}
}

// Objects tells with which kind of file or socket stacks work, and remembers each function's.
type Objects struct {
	rules []objectRule
	known map[string]string
}

// NewObjects returns an empty memory.
func NewObjects() Objects { return Objects{objectRules(), map[string]string{}} }

// Of returns the kind of file or socket of a stack's system call: of the frame nearest to the call that tells. It is ""
// if none does.
func (o Objects) Of(st record.Stack) string {
	kernel := upToBoundary(st.Frames)
	if len(kernel) == 0 || placeOfFrame(kernel[0]) != inKernel {
		return ""
	}
	found := ""
	for i := len(kernel) - 1; i >= 0; i-- {
		switch object := o.function(plainName(kernel[i])); object {
		case "":
		case lookedUp:
			found = object
		default:
			return object
		}
	}
	return found
}

func (o Objects) function(name string) string {
	object, ok := o.known[name]
	if ok {
		return object
	}
	for _, r := range o.rules {
		if matchesAny(r.functions, name) {
			object = r.object
			break
		}
	}
	o.known[name] = object
	return object
}

// RuntimeOf returns the kind of code that a stack runs in a Java runtime: that of its innermost method, such as
// record.Interpreted. It is "" without a method, or if that is not known.
func RuntimeOf(st record.Stack) string {
	for _, f := range st.Frames {
		if placeOfFrame(f) == inJava {
			return f.Code
		}
	}
	return ""
}

// PoolOf returns a thread's name without its numbers, so that a pool is one: each is #.
func PoolOf(thread string) string {
	out := []byte{}
	for _, c := range []byte(thread) {
		if c >= '0' && c <= '9' {
			c = '#'
		}
		if c != '#' || len(out) == 0 || out[len(out)-1] != '#' {
			out = append(out, c)
		}
	}
	return cmp.Or(string(out), thread)
}
