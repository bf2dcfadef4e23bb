package judge

import "plimsoll/internal/record"

// The categories of CPU time.
const (
	Crypto        Category = "crypto"
	Compression   Category = "compression"
	Checksum      Category = "checksums"
	Copying       Category = "copy"
	KernelNetwork Category = "kernel network"
	KernelDisk    Category = "kernel disk"
	KernelMemory  Category = "kernel memory"
	Scheduling    Category = "scheduling"
	SystemCalls   Category = "system calls"
	Collection    Category = "garbage collection"
	Compiling     Category = "jit"
	Locks         Category = "locks"
	Application   Category = "application"
	Unattributed  Category = "unattributed"
)

// CategoryOf says what a stack's time went to.
func CategoryOf(s record.Stack) Category {
	switch {
	case len(s.Frames) == 0 || s.Frames[0].Function == "":
		return Unattributed
	case s.Frames[0].Module == record.ModuleKernel:
		return SystemCalls
	}
	return Application
}
