// Package agent carries out one order, a run or a batch of short ones, in a child process. The child runs on this host,
// or behind any command that connects standard input and output.
//
// The client starts the agent and writes one Request; the agent answers with Messages, one JSON object a line, the last
// of them "done". The request's stream then stays open: its end tells the agent to stop whatever it started and exit,
// so that a dead parent or a broken connection leaves nothing behind.
//
// A command that reaches another host may keep the stream open although its client is gone. Such a client beats every
// second and says bye; an agent that hears nothing for deafness leaves. What it has finished is on its host's disk by
// then, and a later agent sends it once more.
//
//   - The child's garbage collector is off, unless the measured code allocates by nature (kernel.Kernel.Collects).
//     It has two threads more than workers: one for the agent, one for watchdog and disks, so that a busy agent
//     doesn't look like a stall. Workers never unlock their pinned thread.
//   - A load generator that is a library is accounted as a whole (Spec.Whole), because franz-go's goroutines run on
//     any thread. The process gets the generator's CPUs before the driver prepares.
//   - Sides of a sliced order are created in rotating order, because memory that is mapped later can be faster (5%
//     here).
//   - cpu_sets=split gives whole cores to workers and the others to servers. The plan chooses how many
//     (Plan.GeneratorCores), since it knows all machines. The agent chooses which (agent/cpusets.go), and changes
//     the thread's affinity for the moment of the fork.
//   - Two cgroup versions: version 1 charges the forking thread, so Enter moves it for the fork. Version 2 clones
//     into the group. Without either, the process tree and reaped children are summed.
//   - Profilers aren't engines (engine.Profiler): they attach to running processes. agent finds their processes
//     (account.Group.Pids), recognizes Java by its mappings, and merges. Profiled runs (record.RoleProfile) follow the
//     pairs of their round and count in no estimate.
//   - Nothing waits forever. An agent that is silent for 20 s is killed. Beats contain the run's phase and CPU
//     time. A question has a minute. A window has 30 s (or its length) for workers and a minute more. Preparing and
//     finishing go on while they use CPU time (a second per hour), for a day at most. A once load has its driver's
//     timeout.
//   - Agents aren't trusted. agent/answer.go checks each message against the request: kind, order, number, size. A
//     wrong one ends the agent and fails the run. Names from elsewhere never form a path (inPath), and all of
//     standard error is cleaned (term.Screened).
//   - Leftovers of a killed agent are found by locks, not PIDs: it locks its scratch directory and cgroup. The next
//     start on the host ends and removes all that isn't locked. Scratch directories have mode 0711, since
//     PostgreSQL doesn't run as root.
//   - host/owed restores changed settings: values are on disk before the first change. A server's settings are in
//     the session's directory and return at its end. A machine's are in /run/plimsoll/BOOT and return after each
//     order. agent/tune.go locks each setting and starts a watchdog that inherits the locks. It isn't a descendant
//     of the work and has its own session, and notices by the end of a pipe that the agent is gone. PutBackDead
//     restores the rest on the next contact.
//   - A machine setting is a parameter of every workload (record.Param.Tunes) without a default. If one cell of a
//     plan changes it, all others state as-found. Sides with different settings never share a child.
//   - Secrets travel next to the order (agent.Request.Secrets). Plans, orders and runs contain references
//     (Param.Secret). workload.Params resolves them, and agent.Client masks them in every answer. A digest of three
//     digits reveals a change of a secret, and only 12 bits of it in however many files.
//   - Only the flag --destroy-data sets disk.destroy, never a suite, --set or a resumed session. The plan
//     identifies the device (Plan.Devices), whose name can change at a reboot.
package agent
