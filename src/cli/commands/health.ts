/** `dealsheet health`: checks whether the service is reachable and accepts the token. */
import { exitCodeOf } from '../../errors.ts';
import { textOf } from '../../messages/text.ts';
import { addressFlags } from '../../settings/flags.ts';
import { chooseService, type ServiceChoice } from '../../settings/service.ts';
import { command } from '../command.ts';
import { exitCodes, type JsonAnswer } from '../command-end.ts';
import { askService } from '../load-dialog.ts';
import type { Terminal } from '../terminal.ts';

export const healthCommand = command({
  examples: [['dealsheet health --profile live', 'the service of the profile live']],
  flags: [...addressFlags, 'json'],
  run: (flags, terminal, answer) => tellHealth(chooseService(flags), terminal, answer),
});

/**
 * Checks a service and reports its answer.
 *
 * @returns the exit code: 0 unless the token is refused or the service cannot be reached
 */
export async function tellHealth(choice: ServiceChoice, terminal: Terminal, answer: JsonAnswer): Promise<number> {
  const { health, service } = await askService(choice, terminal, async (client, { url }) => {
    return { health: await client.health(), service: url.href };
  });
  if (health.state === 'blocked') {
    const { code } = health.reason;
    const [message, remedy] = [textOf(health.reason.message), textOf(health.reason.remedy)];
    answer.give({ service, ...health, reason: { ...health.reason, message, remedy } });
    terminal.warn(`${message}\n${remedy}`);
    return exitCodeOf[code];
  }
  if (health.state === 'warning') {
    const message = textOf(health.message);
    answer.give({ service, ...health, message });
    terminal.warn(`${service} answers, but: ${message}`);
  } else {
    answer.give({ service, ...health });
    terminal.say(`${service} answers and accepts the token (${Math.round(health.milliseconds)} ms).`);
  }
  return exitCodes.allIn;
}
