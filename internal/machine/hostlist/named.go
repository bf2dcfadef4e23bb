package hostlist

import (
	"regexp"
	"strings"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/base/usage"
)

// Named parses --on [NAME=]COMMAND: the commands that reach targets, and the names given to some. The error is wrong
// usage.
func Named(on []string) (commands []string, names map[string]string, err error) {
	for _, text := range on {
		name, command := nameAndCommand(text)
		if strings.TrimSpace(command) == "" {
			return nil, nil, usage.Errorf("--on %q: there is no command that reaches the host\nhint: --on %s'ssh HOST'", text,
				text)
		}
		commands = append(commands, command)
		if name == "" {
			continue
		}
		if names == nil {
			names = map[string]string{}
		}
		for other, used := range names {
			if used == name || other == command {
				return nil, nil, usage.Errorf("--on %q: the name %s or its command is given twice\nhint: each target has a "+
					"command and a name of its own", text, name)
			}
		}
		names[command] = name
	}
	return commands, names, nil
}

// nameAndCommand splits NAME=COMMAND. An assignment for the shell in front of a command (SSH_AUTH_SOCK=…) has a name
// with an underscore, which no name of ours has.
func nameAndCommand(text string) (name, command string) {
	if m := regexp.MustCompile(`(?s)^([A-Za-z0-9][A-Za-z0-9.-]*)=(.*)$`).FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	return "", text
}

// Shown rejects commands for hosts that contain a secret: sessions store them, and everybody can list processes. The
// error is wrong usage.
func Shown(flag string, commands []string) error {
	literals := secret.NewLiterals()
	for _, c := range commands {
		what := literals.In(c)
		if what == "" {
			what = secret.OnCommandLine(c)
		}
		if what == "" {
			continue
		}
		// The message must not repeat the command.
		return usage.Errorf("--%s has a secret on its command line (%s), which the session keeps and everybody sees who "+
			"lists processes\nhint: "+
			"export it and leave it out: the command inherits this environment, ssh -o SendEnv=NAME forwards it, sshpass -e "+
			"reads SSHPASS, "+
			"sshpass -f a file", flag, what)
	}
	return nil
}

// Commands returns the commands that reach hosts, and the names and types of their machines by command.
func Commands(hosts []Host) (commands []string, names, types map[string]string) {
	names, types = map[string]string{}, map[string]string{}
	for _, h := range hosts {
		commands = append(commands, h.Command)
		names[h.Command] = h.Name
		if h.Type != "" {
			types[h.Command] = h.Type
		}
	}
	return commands, names, types
}

// Zones returns the zones of hosts by their commands, as far as they are known.
func Zones(hosts []Host) map[string]string {
	out := map[string]string{}
	for _, h := range hosts {
		if h.Zone != "" {
			out[h.Command] = h.Zone
		}
	}
	return out
}
