package hostlist

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// onlyGroups is what ansible-inventory prints with some of the fixture's hosts left out.
func onlyGroups(t *testing.T, groups ...string) []byte {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(fixture(t, "inventory.json"), &all); err != nil {
		t.Fatal(err)
	}
	vars := all["_meta"].(map[string]any)["hostvars"].(map[string]any)
	kept := map[string]any{}
	for name, group := range all {
		if name == "_meta" || slices.Contains(groups, name) {
			kept[name] = group
			continue
		}
		hosts, _ := group.(map[string]any)["hosts"].([]any)
		for _, h := range hosts {
			delete(vars, h.(string))
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

//nolint:lll // a raw string
func TestInventory(t *testing.T) {
	got, err := Inventory(onlyGroups(t, "arm", "x86"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check("it", got, ""); err != nil {
		t.Error(err)
	}
	const want = `m7g-1             m7g.large  eu-west-1a  ssh -o BatchMode=yes 10.0.0.1
m7g-2             m7g.large  eu-west-1b  ssh -o BatchMode=yes -p 2222 -l ec2-user -i '~/.ssh/my key' -o ProxyJump=bastion -o 'ServerAliveInterval 5' 10.0.0.2 sudo -n
bare.example.org  -          -           ssh -o BatchMode=yes bare.example.org
here              -          -           -
pod               -          -           kubectl -n bench exec -i holder-x -c c --
unsafe            -          -           ssh -o BatchMode=yes 10.0.0.9
`
	if Format(got) != want {
		t.Errorf("the list is\n%s, want\n%s", Format(got), want)
	}
}

func TestInventoryRefuses(t *testing.T) {
	all := map[string]json.RawMessage{}
	var doc struct {
		Meta struct {
			Hostvars map[string]json.RawMessage `json:"hostvars"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(fixture(t, "inventory.json"), &doc); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret", "rooted", "templated", "docked", "surooted", "vaulted"} {
		all[name] = doc.Meta.Hostvars[name]
	}
	all["dashed"] = json.RawMessage(`{"ansible_host": "-oProxyCommand=x"}`)
	all["unquoted"] = json.RawMessage(`{"ansible_ssh_common_args": "-o 'x"}`)
	all["nopod"] = json.RawMessage(`{"ansible_connection": "kubectl"}`)
	all["listed"] = json.RawMessage(`{"ansible_user": ["a"]}`)
	all["token"] = json.RawMessage(`{"ansible_connection": "kubectl", "ansible_kubectl_pod": "p", ` +
		`"ansible_kubectl_token": "t"}`)
	says := map[string]string{
		"secret": "ansible_password is set", "rooted": "ansible_become_password is set",
		"templated": "ansible_host is a template", "docked": "docker is not among ssh",
		"surooted": "ansible_become_method=su is not sudo", "vaulted": "ansible_user is in a vault",
		"dashed": "is no address", "unquoted": "ansible_ssh_common_args:",
		"nopod": "ansible_kubectl_pod is not set", "listed": "is no text", "token": "ansible_kubectl_token is set",
	}
	for _, name := range slices.Sorted(maps.Keys(says)) {
		text, _ := json.Marshal(map[string]any{"_meta": map[string]any{"hostvars": map[string]any{name: all[name]}},
			"g": map[string]any{"hosts": []string{name}}})
		_, err := Inventory(text)
		if err == nil || !usage.Is(err) || !strings.Contains(err.Error(), "inventory: "+name+": ") ||
			!strings.Contains(err.Error(), says[name]) {
			t.Errorf("%s: %v, want %q", name, err, says[name])
			continue
		}
		if _, hint := usage.Parts(err); hint == "" || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: no hint, or the secret: %v", name, err)
		}
	}
	if _, err := Inventory(fixture(t, "inventory.json")); err == nil || !strings.Contains(err.Error(), "so for 5 more") {
		t.Errorf("of six hosts that cannot be mapped: %v", err)
	}
	same := `{"_meta": {"hostvars": {"a": {"ansible_host": "10.0.0.1"}, "b": {"ansible_host": "10.0.0.1", ` +
		`"ansible_user": "x"}}}, "g": {"hosts": ["a", "b"]}}`
	hosts, err := Inventory([]byte(same))
	if err == nil {
		err = Check("i", hosts, "leave one out")
	}
	if err == nil || !strings.Contains(err.Error(), "a and b are one machine: both are reached by 10.0.0.1 port 22") {
		t.Errorf("two names of one machine: %v", err)
	}
}

func isType(name string) bool { return strings.HasPrefix(name, "m7") }

func TestSlurm(t *testing.T) {
	job, err := ReadJob("2", fixture(t, "job.txt"))
	if err != nil || job != (Job{"2", "RUNNING", "a,b"}) {
		t.Fatalf("%+v, %v", job, err)
	}
	got, err := SlurmHosts(job, Hostnames([]byte("a\nb\n")), fixture(t, "nodes.txt"), isType)
	const srun = "srun --jobid=2 -N1 -n1 -w %s --overlap --cpu-bind=none --unbuffered -Q"
	want := []Host{{Name: "a", Type: "m7g.large", Command: strings.Replace(srun, "%s", "a", 1)},
		{Name: "b", Type: "m7i.large", Command: strings.Replace(srun, "%s", "b", 1)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = SlurmHosts(job, []string{"a", "b"}, fixture(t, "nodes.txt"), func(string) bool { return false })
	if err != nil || got[0].Type != "arm+m7g.large" {
		t.Errorf("of features none of which is known: %+v, %v", got, err)
	}
	down := strings.Replace(string(fixture(t, "nodes.txt")), "State=ALLOCATED", "State=DOWN*+DRAIN", 1)
	got, err = SlurmHosts(job, []string{"a", "b"}, []byte(down), isType)
	if err != nil || got[0].Trouble == "" || got[1].Trouble != "" {
		t.Errorf("a node that is down: %+v, %v", got, err)
	}
}

func TestSlurmRefuses(t *testing.T) {
	job := string(fixture(t, "job.txt"))
	for text, says := range map[string]string{
		"":        "scontrol shows 0 jobs",
		job + job: "scontrol shows 2 jobs",
		strings.Replace(job, "JobState=RUNNING", "JobState=PENDING",
			1): "the job is pending, not RUNNING",
		strings.Replace(job, "   NodeList=a,b", "   NodeList=(null)", 1):                             "the job has no nodes",
		strings.Replace(job, "JobName=no-shell", "JobName=x JobState=PENDING NodeList=evil", 1) + "": "",
	} {
		j, err := ReadJob("2", []byte(text))
		if says == "" {
			if err != nil || j.Nodes != "a,b" {
				t.Errorf("a job whose name looks like fields: %+v, %v", j, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) || !usage.Is(err) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := SlurmHosts(Job{ID: "2"}, nil, nil, isType); err == nil {
		t.Error("an allocation without nodes is taken")
	}
	if _, err := SlurmHosts(Job{ID: "2"}, []string{"a;rm"}, nil, isType); err == nil {
		t.Error("a node of a name that is none is taken")
	}
}

func TestPods(t *testing.T) {
	s := Selection{Selector: "app=holder", Context: "prod"}
	got, err := Pods(s, fixture(t, "pods.json"), fixture(t, "nodes.json"))
	want := []Host{
		{Name: "ip-10-0-0-1.ec2.internal", Type: "m7g.large", Zone: "eu-west-1a",
			Command: "kubectl --context prod -n bench exec -i holder-x7k2p -c c --", at: "node ip-10-0-0-1.ec2.internal"},
		{Name: "ip-10-0-0-2.ec2.internal", Type: "m7i.large",
			Command: "kubectl --context prod -n bench exec -i holder-9qq5d -c plimsoll --", at: "node ip-10-0-0-2.ec2.internal"},
		{Name: "ip-10-0-0-3.ec2.internal", Command: "kubectl --context prod -n bench exec -i holder-gone1 -c c --",
			Trouble: "the pod holder-gone1 is being deleted", at: "node ip-10-0-0-3.ec2.internal"},
		{Name: "holder-zz5rt", Command: "kubectl --context prod -n bench exec -i holder-zz5rt -c c --",
			Trouble: "the pod holder-zz5rt is Pending: 0/2 nodes are available: 2 Insufficient cpu."},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if !reflect.DeepEqual(s.Flags(), []string{"--context", "prod"}) {
		t.Errorf("kubectl's flags are %q", s.Flags())
	}
	twice := strings.ReplaceAll(string(fixture(t, "pods.json")), "10-0-0-2", "10-0-0-1")
	if _, err := Pods(s, []byte(twice), nil); err == nil ||
		!strings.Contains(err.Error(), "two hosts are called ip-10-0-0-1.ec2.internal") {
		t.Errorf("two pods on one node: %v", err)
	}
	for text, says := range map[string]string{`{"items": []}`: "no pod has these labels",
		"Unable to connect": "printed something else"} {
		if _, err := Pods(s, []byte(text), nil); err == nil || !usage.Is(err) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzInventory(f *testing.F) {
	f.Add(fixture(f, "inventory.json"))
	f.Add([]byte(`{"_meta": {"hostvars": {"a": {"ansible_host": "x", "placement": {"availability_zone": "z z"}}}}, "g": ` +
		`{"hosts": ["a", "b"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		hosts, err := Inventory(text)
		listable(t, hosts, err)
	})
}

func FuzzSlurm(f *testing.F) {
	f.Add(fixture(f, "job.txt"), "a\nb\n", fixture(f, "nodes.txt"))
	f.Add(fixture(f, "job.txt"), "a\nb\n",
		bytes.ReplaceAll(fixture(f, "nodes.txt"), []byte("m7i.large"), []byte("m7i.\xee")))
	f.Fuzz(func(t *testing.T, job []byte, names string, nodes []byte) {
		j, err := ReadJob("2", job)
		if err != nil && !usage.Is(err) {
			t.Fatal(err)
		}
		hosts, err := SlurmHosts(j, Hostnames([]byte(names)), nodes, isType)
		listable(t, hosts, err)
	})
}

func FuzzPods(f *testing.F) {
	f.Add(fixture(f, "pods.json"), fixture(f, "nodes.json"))
	f.Add(fixture(f, "pods.json"), bytes.ReplaceAll(fixture(f, "nodes.json"), []byte("m7i.large"), []byte("m7i.\x90")))
	f.Fuzz(func(t *testing.T, pods, nodes []byte) {
		hosts, err := Pods(Selection{Selector: "a=b"}, pods, nodes)
		listable(t, hosts, err)
	})
}

// listable holds that what a source gives is a list that Parse reads, or wrong usage.
func listable(t *testing.T, hosts []Host, err error) {
	t.Helper()
	if err != nil {
		if !usage.Is(err) {
			t.Fatalf("no usage error: %v", err)
		}
		return
	}
	if Check("it", hosts, "") != nil {
		return
	}
	again, err := Parse("f", []byte(Format(hosts)))
	if err != nil || len(again) != len(hosts) {
		t.Fatalf("%q is no list: %v", Format(hosts), err)
	}
	for i, h := range again {
		if h.Name != hosts[i].Name || h.Type != hosts[i].Type || h.Zone != hosts[i].Zone || h.Command != hosts[i].Command {
			t.Fatalf("%+v is read as %+v", hosts[i], h)
		}
	}
}
