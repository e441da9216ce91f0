/** `dealsheet health`: whether the service is there and takes the token. */

import { exitCodeOf } from '../../errors.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { chooseService } from '../service-choice.ts';
import { withAddressFlags } from '../service-flags.ts';
import { openService } from '../service-session.ts';
import { openTerminal } from '../terminal.ts';

export const healthCommand = command({
  examples: [['dealsheet health --profile live', '']],
  builder: (yargs) =>
    withAddressFlags(yargs).options({ json: { type: 'boolean', default: false, describe: 'Print one JSON object' } }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const choice = chooseService({ ...flags, concurrency: undefined, rate: undefined, batch: undefined });
    const session = await openService(choice, null);
    const client = session.connect(0, silentEvents);
    try {
      const health = await client.health();
      const service = session.url.href;
      if (flags.json) terminal.print(JSON.stringify({ service, ...health }));
      switch (health.state) {
        case 'ok':
          terminal.say(`${service} is there and takes the token (${Math.round(health.milliseconds)} ms).`);
          return exitCodes.allIn;
        case 'warning':
          terminal.warn(`${service} is there, but: ${health.message}`);
          return exitCodes.allIn;
        case 'blocked':
          terminal.warn(`${health.reason.message}\n${health.reason.remedy}`);
          return exitCodeOf[health.reason.code];
      }
    } finally {
      await client.close();
      await session.close();
    }
  },
});
