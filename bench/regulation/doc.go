// Command regulation holds `plimsoll run disk` to disks that are held back on purpose. It makes each of them
// itself: a file system in memory (FUSE) that lets reads pass as a token bucket, a credit or random stalls would,
// drawn by a seed. The load, the kernel's way to it and the clock are real; what is simulated is the disk.
//
// It needs the right to mount (root), and prints a table of what is true and what was found.
package main
