package hostlist

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/usage"
)

// Inventory reads what `ansible-inventory --list` prints. The error is wrong usage.
func Inventory(text []byte) ([]Host, error) {
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(text, &groups); err != nil {
		return nil, usage.Errorf("ansible-inventory printed no JSON object: %v\n"+
			"hint: ansible-inventory -i INVENTORY --list must print nothing else on standard output", err)
	}
	var meta struct {
		Hostvars map[string]map[string]any `json:"hostvars"`
	}
	if err := decodeNumbers(groups["_meta"], &meta); err != nil {
		return nil, usage.Errorf("ansible-inventory: the variables of hosts: %v\nhint: ansible-inventory -i INVENTORY "+
			"--list shows them", err)
	}
	names, err := inventoryNames(groups, meta.Hostvars)
	if err != nil {
		return nil, err
	}
	var out []Host
	var refused []error
	for _, name := range names {
		h, err := ansibleHost(name, variables(meta.Hostvars[name]))
		if err != nil {
			refused = append(refused, err)
		}
		out = append(out, h)
	}
	if len(refused) > 0 {
		return nil, refusal(refused)
	}
	return out, nil
}

func decodeNumbers(text json.RawMessage, to any) error {
	if len(text) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

// inventoryNames returns the hosts of all groups, in the order of their groups: one without variables is in none of
// hostvars.
func inventoryNames(groups map[string]json.RawMessage, vars map[string]map[string]any) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if group == "_meta" {
			continue
		}
		var g struct {
			Hosts []string `json:"hosts"`
		}
		if err := json.Unmarshal(groups[group], &g); err != nil {
			return nil, usage.Errorf("ansible-inventory: group %q: %v\nhint: ansible-inventory -i INVENTORY --list shows it",
				group, err)
		}
		for _, h := range g.Hosts {
			add(h)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		add(name)
	}
	return names, nil
}

// refusal states the first host that cannot be mapped, and how many others cannot.
func refusal(refused []error) error {
	text, hint := usage.Parts(refused[0])
	if n := len(refused) - 1; n > 0 {
		text += fmt.Sprintf("; so for %d more", n)
	}
	return &usage.Error{Text: "inventory: " + text, Hint: hint}
}

// variables are those of one host.
type variables map[string]any

// text returns the first of several variables that is set, as text. A value that only Ansible can read is an error.
func (v variables) text(names ...string) (string, error) {
	for _, name := range names {
		value, ok := v[name]
		if !ok || value == nil {
			continue
		}
		text, err := plain(value)
		if err != nil {
			return "", fmt.Errorf("%s %w", name, err)
		}
		if text != "" {
			return text, nil
		}
	}
	return "", nil
}

// instead is the hint for what is not mapped.
const instead = "write its line of the list yourself (NAME TYPE ZONE COMMAND) for plimsoll run --hosts FILE"

func plain(value any) (string, error) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, "{{") || strings.Contains(value, "{%") {
			return "", errors.New("is a template, which ansible-inventory does not render\nhint: set the value itself in the " +
				"inventory, or " + instead)
		}
		return strings.TrimSpace(value), nil
	case json.Number:
		return value.String(), nil
	case bool:
		return fmt.Sprint(value), nil
	case map[string]any:
		if text, ok := value["__ansible_unsafe"].(string); ok {
			return plain(text)
		}
		if _, ok := value["__ansible_vault"]; ok {
			return "", errors.New("is in a vault, and a command line is no place for it\nhint: use a key of ssh-agent, or " +
				instead)
		}
	}
	return "", errors.New("is no text\nhint: ansible-inventory -i INVENTORY --host NAME shows it")
}

// passwords are variables that nothing without a prompt can use.
func passwords() []string {
	return []string{
		"ansible_password", "ansible_ssh_pass", "ansible_ssh_password", "ansible_ssh_private_key_passphrase",
		"ansible_become_password", "ansible_become_pass", "ansible_sudo_pass", "ansible_su_pass",
		"ansible_kubectl_password", "ansible_kubectl_token",
	}
}

// ansibleHost maps the variables of a host to a line of the list.
func ansibleHost(name string, v variables) (Host, error) {
	h, err := mapped(name, v)
	if err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	return h, nil
}

func mapped(name string, v variables) (Host, error) {
	for _, p := range passwords() {
		if value, ok := v[p]; ok && value != "" && value != nil {
			hint := "use a key of ssh-agent, then remove " + p + "; sudo without a password is for plimsoll setup alone"
			return Host{}, fmt.Errorf("%s is set, and a measurement asks for no password\nhint: %s", p, hint)
		}
	}
	h := Host{Name: nameOf(name)}
	var errs [4]error
	h.Type, errs[0] = v.text("plimsoll_type", "instance_type")
	h.Zone, errs[1] = v.text("plimsoll_zone", "availability_zone")
	// as the inventory plugin amazon.aws.aws_ec2 has it
	if placement, ok := v["placement"].(map[string]any); ok && h.Zone == "" {
		h.Zone, _ = variables(placement).text("availability_zone")
	}
	h.Type, h.Zone = wordOf(h.Type), wordOf(h.Zone)
	var words, become []string
	words, h.at, errs[2] = connection(name, v)
	become, errs[3] = becoming(v)
	if err := cmp.Or(errs[0], errs[1], errs[2], errs[3]); err != nil {
		return h, err
	}
	if all := slices.Concat(words, become); len(all) > 0 {
		h.Command = shellquote.Join(all...)
	}
	return h, nil
}

// connection returns the words of the command that reaches a host, and what identifies it.
func connection(name string, v variables) (words []string, at string, err error) {
	kind, err := v.text("ansible_connection")
	if err != nil {
		return nil, "", err
	}
	switch short := kind[strings.LastIndex(kind, ".")+1:]; {
	case short == "local":
		return nil, "", nil
	case slices.Contains([]string{"", "ssh", "smart", "paramiko", "paramiko_ssh"}, short):
		return ssh(name, v)
	case short == "kubectl":
		return kubectlOf(v)
	}
	return nil, "", fmt.Errorf("ansible_connection=%s is not among ssh, local and kubernetes.core.kubectl\nhint: %s", kind,
		instead)
}

// ssh maps the variables of Ansible's connection plugin ssh. BatchMode makes a prompt an error.
func ssh(name string, v variables) (words []string, at string, err error) {
	var texts [7]string
	for i, names := range [][]string{
		{"ansible_ssh_executable"}, {"ansible_port", "ansible_ssh_port"}, {"ansible_user", "ansible_ssh_user"},
		{"ansible_ssh_private_key_file", "ansible_private_key_file"}, {"ansible_ssh_common_args"}, {"ansible_ssh_extra_args"},
		{"ansible_host", "ansible_ssh_host"},
	} {
		if texts[i], err = v.text(names...); err != nil {
			return nil, "", err
		}
	}
	words = []string{cmp.Or(texts[0], "ssh"), "-o", "BatchMode=yes"}
	for i, flag := range []string{"-p", "-l", "-i"} {
		if text := texts[i+1]; text != "" {
			words = append(words, flag, text)
		}
	}
	for i, name := range []string{"ansible_ssh_common_args", "ansible_ssh_extra_args"} {
		more, err := shellquote.Split(texts[i+4])
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w\nhint: its quotes must be closed", name, err)
		}
		words = append(words, more...)
	}
	address := cmp.Or(texts[6], name)
	if strings.HasPrefix(address, "-") || strings.ContainsAny(address, " \t\n") {
		return nil, "", fmt.Errorf("%q is no address\nhint: set ansible_host", address)
	}
	return append(words, address), fmt.Sprintf("%s port %s", address, cmp.Or(texts[1], "22")), nil
}

// kubectlOf maps the variables of the connection plugin kubernetes.core.kubectl.
func kubectlOf(v variables) (words []string, at string, err error) {
	p := podCommand{}
	for name, to := range map[string]*string{
		"ansible_kubectl_kubeconfig": &p.kubeconfig, "ansible_kubectl_context": &p.context,
		"ansible_kubectl_namespace": &p.namespace,
		"ansible_kubectl_pod":       &p.pod, "ansible_kubectl_container": &p.container,
	} {
		if *to, err = v.text(name); err != nil {
			return nil, "", err
		}
	}
	if p.pod == "" {
		return nil, "",
			errors.New("ansible_kubectl_pod is not set\nhint: set it, or plimsoll hosts --pods SELECTOR finds pods itself")
	}
	return p.words(), fmt.Sprintf("pod %s of %s", p.pod, cmp.Or(p.namespace, "the default namespace")), nil
}

// becoming returns the words of a command that changes the user, none if no variable asks for it.
func becoming(v variables) ([]string, error) {
	become, err := v.text("ansible_become")
	if err != nil || !slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(become)) {
		return nil, err
	}
	method, err := v.text("ansible_become_method")
	if err != nil {
		return nil, err
	}
	if method != "" && method != "sudo" {
		return nil, fmt.Errorf("ansible_become_method=%s is not sudo\nhint: %s", method, instead)
	}
	user, err := v.text("ansible_become_user")
	if err != nil || user == "" {
		return []string{"sudo", "-n"}, err
	}
	return []string{"sudo", "-n", "-u", user}, nil
}
