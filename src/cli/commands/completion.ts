/** `dealsheet completion`: print what makes a shell complete commands and flags. */
import { command } from '../command.ts';
import { completionScripts, shellOf, shells } from '../completion-scripts.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const completionCommand = command({
  examples: [
    ['source <(dealsheet completion bash)', 'in ~/.bashrc'],
    ['source <(dealsheet completion zsh)', 'in ~/.zshrc'],
    ['dealsheet completion fish > ~/.config/fish/completions/dealsheet.fish', 'once'],
  ],
  builder: (yargs) => yargs.positional('shell', { choices: shells, describe: 'The shell; yours by default' }),
  run: async ({ shell }) => {
    openTerminal({ quiet: false }).print(completionScripts[shell ?? shellOf(process.env.SHELL)].trimEnd());
    return exitCodes.allIn;
  },
});
