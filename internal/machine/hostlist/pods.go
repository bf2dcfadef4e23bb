package hostlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/usage"
)

// Selection is which pods are asked for, and how kubectl reaches them; each field but Selector may be "".
type Selection struct{ Selector, Namespace, Context, Container string }

// Flags returns the flags of kubectl that select the cluster and the namespace.
func (s Selection) Flags() []string {
	return podCommand{context: s.Context, namespace: s.Namespace}.flags()
}

// podCommand is a `kubectl exec`.
type podCommand struct{ kubeconfig, context, namespace, pod, container string }

func (p podCommand) flags() []string {
	var out []string
	for _, f := range [][2]string{{"--kubeconfig", p.kubeconfig}, {"--context", p.context}, {"-n", p.namespace}} {
		if f[1] != "" {
			out = append(out, f[0], f[1])
		}
	}
	return out
}

func (p podCommand) words() []string {
	words := append(append([]string{"kubectl"}, p.flags()...), "exec", "-i", p.pod)
	if p.container != "" {
		words = append(words, "-c", p.container)
	}
	return append(words, "--")
}

type meta struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Deleted     string            `json:"deletionTimestamp"`
}

type pod struct {
	Meta meta `json:"metadata"`
	Spec struct {
		Node       string                  `json:"nodeName"`
		Containers []struct{ Name string } `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase      string      `json:"phase"`
		Reason     string      `json:"reason"`
		Conditions []condition `json:"conditions"`
	} `json:"status"`
}

// condition is one of a pod's.
type condition struct{ Status, Message string }

func (c condition) unmet() bool { return c.Status == "False" && c.Message != "" }

// The labels of nodes: the present names, and those before Kubernetes 1.17.
func typeLabels() []string {
	return []string{"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"}
}
func zoneLabels() []string {
	return []string{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}
}

// lastOf puts pods without a node behind those with one.
const lastOf = "\uffff"

// Pods returns the hosts of what `kubectl get pods -o json` and `kubectl get nodes -o json` print; nodes may be empty.
// A host is called after its node, which is the machine. The error is wrong usage.
func Pods(s Selection, pods, nodes []byte) ([]Host, error) {
	var found struct{ Items []pod }
	if err := json.Unmarshal(pods, &found); err != nil {
		return nil, usage.Errorf("--pods %s: kubectl get pods -o json printed something else: %v\n"+
			"hint: kubectl must print nothing else on standard output", s.Selector, err)
	}
	labels, err := nodeLabels(nodes)
	if err != nil {
		return nil, usage.Errorf("--pods %s: kubectl get nodes -o json printed something else: %v\n"+
			"hint: kubectl must print nothing else on standard output", s.Selector, err)
	}
	var out []Host
	for _, p := range found.Items {
		of := labels[p.Spec.Node]
		h := Host{
			Name: nameOf(cmp.Or(p.Spec.Node, p.Meta.Name)), Type: wordOf(first(of, typeLabels())),
			Zone:    wordOf(first(of, zoneLabels())),
			Trouble: podTrouble(p),
			Command: shellquote.Join(podCommand{context: s.Context, namespace: p.Meta.Namespace, pod: p.Meta.Name,
				container: containerOf(s, p)}.words()...),
		}
		if p.Spec.Node != "" {
			h.at = "node " + p.Spec.Node
		}
		out = append(out, h)
	}
	// kubectl lists pods by their random names.
	slices.SortFunc(out, func(a, b Host) int {
		return cmp.Compare(cmp.Or(a.at, lastOf+a.Name), cmp.Or(b.at, lastOf+b.Name))
	})
	if len(out) == 0 {
		return nil, usage.Errorf("--pods %s: no pod has these labels\n"+
			"hint: kubectl get pods -A --show-labels lists them; -n NAMESPACE selects another namespace", s.Selector)
	}
	return out, Check("--pods "+s.Selector, out, "one pod a node: a DaemonSet has that; deploy/kubernetes has one")
}

func nodeLabels(text []byte) (map[string]map[string]string, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var nodes struct {
		Items []struct {
			Meta meta `json:"metadata"`
		}
	}
	if err := json.Unmarshal(text, &nodes); err != nil {
		return nil, err
	}
	out := map[string]map[string]string{}
	for _, n := range nodes.Items {
		out[n.Meta.Name] = n.Meta.Labels
	}
	return out, nil
}

func first(labels map[string]string, keys []string) string {
	for _, k := range keys {
		if v := labels[k]; v != "" {
			return v
		}
	}
	return ""
}

// containerOf returns the container to enter: the one asked for, the one that the pod's annotation names, or the first.
func containerOf(s Selection, p pod) string {
	if name := cmp.Or(s.Container, p.Meta.Annotations["kubectl.kubernetes.io/default-container"]); name != "" {
		return name
	}
	if len(p.Spec.Containers) == 0 {
		return ""
	}
	return p.Spec.Containers[0].Name
}

// podTrouble returns why a pod cannot be entered; "" if it can.
func podTrouble(p pod) string {
	switch {
	case p.Meta.Deleted != "":
		return fmt.Sprintf("the pod %s is being deleted", p.Meta.Name)
	case p.Status.Phase == "Running":
		return ""
	}
	why := p.Status.Reason
	if at := slices.IndexFunc(p.Status.Conditions, condition.unmet); why == "" && at >= 0 {
		why = p.Status.Conditions[at].Message
	}
	if why != "" {
		why = ": " + why
	}
	return fmt.Sprintf("the pod %s is %s%s", p.Meta.Name, cmp.Or(p.Status.Phase, "in no phase"), why)
}
