package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/usage"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use: "completion bash|zsh|fish",
		Example: `  plimsoll completion bash >~/.local/share/bash-completion/completions/plimsoll
  plimsoll completion zsh >~/.zfunc/_plimsoll
  plimsoll completion fish >~/.config/fish/completions/plimsoll.fish`,
		Short: "print a shell's completion script",
		Long: `Prints a script by which a shell completes command lines: commands and flags, workloads, suites,
engines, parameters and their values, formats, instance types. Files are completed by the shell.

bash needs the package bash-completion; source <(plimsoll completion bash) tries the script in this
shell. For zsh, ~/.zshrc has the line "fpath+=~/.zfunc; autoload -Uz compinit; compinit".`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("completion needs one shell, got %d\nhint: there are %s", len(args), strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return cmd.Root().GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(a.stdout)
			case "fish":
				return cmd.Root().GenFishCompletion(a.stdout, true)
			}
			return usage.Unknown("shell", args[0], shells)
		},
	}
}
