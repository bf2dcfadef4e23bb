// Package run is the main loop: get the next order from the plan, have an agent measure it, write the result to the
// session. It makes no decisions and takes no measurements itself.
//
//   - Signals: reading verbs end like any program. The others (stoppable) end the run at the first Ctrl-C, close
//     the session and print its results. The second Ctrl-C ends the program at once.
//   - A lost agent fails its run. An unreachable host is waited for (run/outage.go) until --max-outage, together
//     with its pair. Then plan.Course.Lose removes its cells. This isn't part of the plan's hash, so a resumed run
//     asks again.
//   - Servers of a cluster announce their places before they start (workload.Member): each host chooses ports and
//     makes its key. The run sends these places to all hosts (agent.WordJoin), with certificates and verifiers but
//     no key or password. One host represents the cluster; the others add server CPU time and their busiest disk
//     and network (run/cluster.go).
//   - Shared data have one directory per host (Spec.Keeps, Env.Keep). Agents lock it, run removes it at the end
//     (agent.DoTidy), and a killed session leaves it to --resume. The next session removes one that was unused for
//     a day, unless a server still needs its settings back.
//   - A target proves its address (agent/door) before generators send load.
//   - --resume runs only plans that its user began or read. A session's plan names commands. Its SHA-256 must be in
//     ${XDG_STATE_HOME:-~/.local/state}/plimsoll/plans, or the user confirms it (cmd/plimsoll/ownplans.go).
package run
