/** `dealsheet completion`: prints the shell script that completes commands, flags and choices. */
import { command } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand = command({
  examples: [
    ['source <(dealsheet completion bash)', 'in ~/.bashrc'],
    ['source <(dealsheet completion zsh)', 'in ~/.zshrc'],
    ['dealsheet completion fish > ~/.config/fish/completions/dealsheet.fish', 'once'],
  ],
  positionals: { shell: { choices: shells, describe: 'The shell; yours by default' } },
  flags: [],
  run: async ({ shell }, terminal) => {
    const usersShell = shells.find((name) => process.env.SHELL?.endsWith(`/${name}`)) ?? 'bash';
    terminal.print(scripts[shell ?? usersShell]);
  },
});

/** The script asks the program itself, so it never becomes outdated. With this shell the answer has one word per line. */
const asked = 'SHELL=bash dealsheet --get-yargs-completions';

/** Files are the fallback. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_dealsheet() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${asked} "\${COMP_WORDS[@]:0:COMP_CWORD}" "$word" 2>/dev/null)" -- "$word"))
}
complete -o default -F _dealsheet dealsheet`,
  zsh: `#compdef dealsheet
_dealsheet() {
  local -a found
  found=("\${(@f)$(${asked} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _dealsheet dealsheet`,
  fish: `function __dealsheet_complete
  set -lx SHELL bash
  dealsheet --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c dealsheet -a '(__dealsheet_complete)'`,
};
