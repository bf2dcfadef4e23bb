package hostlist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
)

// Job is an allocation of Slurm.
type Job struct {
	ID, State string
	Nodes     string // as Slurm writes a list of them: "m7g-[1-4],m7i-1"
}

// ReadJob reads what `scontrol show job ID` prints for one job. Only the first field of a line is read, since those
// after it may be a user's words. The error is wrong usage.
func ReadJob(id string, text []byte) (Job, error) {
	all := records(text, "JobId")
	if len(all) != 1 {
		return Job{}, usage.Errorf("--slurm %s: scontrol shows %d jobs\nhint: squeue lists jobs; of an array give one "+
			"task, as 4711_2", id, len(all))
	}
	j := Job{ID: all[0]["JobId"], State: all[0]["JobState"], Nodes: all[0]["NodeList"]}
	if j.Nodes == "(null)" {
		j.Nodes = ""
	}
	switch {
	case j.State != "RUNNING":
		return j, usage.Errorf("--slurm %s: the job is %s, not RUNNING\n"+
			"hint: salloc -N4 -C m7g.large --exclusive --no-shell allocates; squeue shows when it has begun", id,
			strings.ToLower(orUnknown(j.State)))
	case j.Nodes == "":
		return j, usage.Errorf("--slurm %s: the job has no nodes\nhint: squeue -j %s shows why", id, id)
	}
	return j, nil
}

func orUnknown(text string) string {
	if text == "" {
		return "in an unknown state"
	}
	return text
}

// records reads scontrol's output of several lines: records begin with a field, and of each line the first field
// counts.
func records(text []byte, first string) []map[string]string {
	var out []map[string]string
	for line := range strings.Lines(string(text)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		key, value, ok := strings.Cut(word, "=")
		switch {
		case !ok:
		case key == first && !strings.HasPrefix(line, " "):
			out = append(out, map[string]string{key: value})
		case len(out) > 0:
			if _, had := out[len(out)-1][key]; !had {
				out[len(out)-1][key] = value
			}
		}
	}
	return out
}

// Hostnames reads what `scontrol show hostnames LIST` prints.
func Hostnames(text []byte) []string {
	return slices.Compact(strings.Fields(string(text)))
}

// SlurmHosts returns the hosts of an allocation. names is its nodes, nodes what `scontrol show node` prints of them,
// and isType tells an instance type from other features.
func SlurmHosts(j Job, names []string, nodes []byte, isType func(string) bool) ([]Host, error) {
	described := map[string]map[string]string{}
	for _, r := range records(nodes, "NodeName") {
		described[r["NodeName"]] = r
	}
	var out []Host
	for _, name := range names {
		if !validName(name) {
			return nil, usage.Errorf("--slurm %s: %q is no name of a node\nhint: scontrol show hostnames %s must list them",
				j.ID, name, shellquote.Join(j.Nodes))
		}
		r := described[name]
		out = append(out, Host{
			Name: name, Type: typeOf(r["ActiveFeatures"], isType), Trouble: nodeTrouble(r["State"]),
			Command: shellquote.Join("srun", "--jobid="+j.ID, "-N1", "-n1", "-w", name, "--overlap", "--cpu-bind=none",
				"--unbuffered", "-Q"),
		})
	}
	return out, Check("--slurm "+j.ID, out, "scontrol show hostnames lists the nodes")
}

// typeOf returns the instance type among a node's features: the one that is known as one, else all of them, since nodes
// alike in all are alike in type.
func typeOf(features string, isType func(string) bool) string {
	all := list.Filter(strings.Split(features, ","), func(f string) bool { return f != "" && f != "(null)" })
	if at := slices.IndexFunc(all, isType); at >= 0 {
		return wordOf(all[at])
	}
	return wordOf(strings.Join(all, "+"))
}

// nodeTrouble returns why a node in that state cannot run a step; "" if it can. A trailing * is a node that does not
// respond.
func nodeTrouble(state string) string {
	for _, bad := range []string{"DOWN", "FAIL", "NOT_RESPONDING", "POWERED_DOWN", "POWERING_DOWN", "REBOOT"} {
		if strings.Contains(state, bad) || strings.HasSuffix(state, "*") {
			return fmt.Sprintf("Slurm says that the node is %s", state)
		}
	}
	return ""
}
