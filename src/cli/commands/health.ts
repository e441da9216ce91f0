/** `dealsheet health`: whether the service is there and takes the token. */
import { exitCodeOf } from '../../errors.ts';
import { textOf } from '../../messages/text.ts';
import { addressFlags } from '../../settings/flags.ts';
import { addressOf, askService, chooseService, openService, type ServiceChoice } from '../../settings/service.ts';
import { command } from '../command.ts';
import { exitCodes, type JsonAnswer } from '../ending.ts';
import type { Terminal } from '../terminal.ts';

export const healthCommand = command({
  examples: [['dealsheet health --profile live', 'the service of the profile live']],
  flags: [...addressFlags, 'json'],
  run: (flags, terminal, answer) => tellHealth(chooseService(flags), terminal, answer),
});

/**
 * Asks a service whether it is there and takes the token, and says what it answers.
 *
 * @returns the exit code: 0 unless the token is refused or the service cannot be reached
 */
export async function tellHealth(choice: ServiceChoice, terminal: Terminal, answer: JsonAnswer): Promise<number> {
  const session = await openService(choice);
  if (session.notice !== null && addressOf(choice) !== null) terminal.warn(session.notice);
  const health = await askService(session, session.connect({}), (client) => client.health());
  const service = session.url.href;
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
    terminal.warn(`${service} is there, but: ${message}`);
  } else {
    answer.give({ service, ...health });
    terminal.say(`${service} is there and takes the token (${Math.round(health.milliseconds)} ms).`);
  }
  return exitCodes.allIn;
}
