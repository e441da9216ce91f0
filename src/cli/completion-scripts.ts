/** What a shell is told, so that it completes commands, flags and their choices. Files are completed where nothing else fits. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The program itself is asked what fits, so a script never grows old. It answers with one word a line for this shell. */
const asked = 'SHELL=bash dealsheet --get-yargs-completions';

export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# dealsheet in bash: put this line into ~/.bashrc
#   source <(dealsheet completion bash)
_dealsheet() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${asked} "\${COMP_WORDS[@]:0:COMP_CWORD}" "$word" 2>/dev/null)" -- "$word"))
}
complete -o default -F _dealsheet dealsheet
`,
  zsh: `#compdef dealsheet
# dealsheet in zsh: put this line into ~/.zshrc, after compinit
#   source <(dealsheet completion zsh)
_dealsheet() {
  local -a found
  found=("\${(@f)$(${asked} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _dealsheet dealsheet
`,
  fish: `# dealsheet in fish:
#   dealsheet completion fish > ~/.config/fish/completions/dealsheet.fish
function __dealsheet_complete
  set -lx SHELL bash
  dealsheet --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c dealsheet -a '(__dealsheet_complete)'
`,
};

/** The shell that a person uses, by the path in SHELL; bash when it is none of these. */
export function shellOf(path: string | undefined): Shell {
  return shells.find((shell) => path?.endsWith(`/${shell}`)) ?? 'bash';
}
