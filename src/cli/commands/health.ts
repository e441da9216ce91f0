/** `dealsheet health`: whether the service is there and takes the token. */
import { command } from '../command.ts';
import { withAddressFlags } from '../flags/service-flags.ts';
import { chooseService } from '../settings/service-choice.ts';
import { tellHealth } from '../talk/health-talk.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const healthCommand = command({
  examples: [['dealsheet health --profile live', '']],
  builder: (yargs) =>
    withAddressFlags(yargs).options({ json: { type: 'boolean', default: false, describe: 'Print one JSON object' } }),
  run: async (flags, answer) => {
    const choice = chooseService({ ...flags, concurrency: undefined, rate: undefined, batch: undefined });
    return tellHealth(choice, openTerminal({ quiet: false }), answer);
  },
});
