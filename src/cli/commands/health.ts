/** `dealsheet health`: whether the service is there and takes the token. */
import { exitCodeOf } from '../../errors.ts';
import { textOf } from '../../messages/text.ts';
import type { HealthResult } from '../../service/client.ts';
import { chooseService, type ServiceChoice } from '../../settings/service-choice.ts';
import { openService } from '../../settings/service-session.ts';
import { command } from '../command.ts';
import { addressFlags, withFlags } from '../flags.ts';
import type { JsonAnswer } from '../talk/json-answer.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export const healthCommand = command({
  command: 'health',
  describe: 'Ask whether the service is there and takes the token',
  examples: [['dealsheet health --profile live', '']],
  builder: (yargs) => withFlags(yargs, ...addressFlags, 'json'),
  run: (flags, answer) => tellHealth(chooseService(flags), openTerminal({ quiet: false }), answer),
});

/**
 * Asks a service whether it is there and takes the token, and says what it answers.
 *
 * @param answer  gets the health as an object; `null` without --json
 * @returns the exit code: 0 unless the token is refused or the service cannot be reached
 */
export async function tellHealth(
  choice: ServiceChoice,
  terminal: Terminal,
  answer: JsonAnswer | null,
): Promise<number> {
  const session = await openService(choice);
  if (session.notice !== null && choice.url !== null) terminal.warn(session.notice);
  const client = session.connect(0, {});
  try {
    const health = await client.health();
    const service = session.url.href;
    answer?.give(JSON.stringify({ service, ...inWords(health) }));
    if (health.state === 'blocked') {
      terminal.warn(`${textOf(health.reason.message)}\n${textOf(health.reason.remedy)}`);
      return exitCodeOf[health.reason.code];
    }
    if (health.state === 'warning') terminal.warn(`${service} is there, but: ${textOf(health.message)}`);
    else terminal.say(`${service} is there and takes the token (${Math.round(health.milliseconds)} ms).`);
    return exitCodes.allIn;
  } finally {
    await client.close();
    await session.close();
  }
}

/** The health as the JSON object of the command gives it. */
function inWords(health: HealthResult): object {
  if (health.state === 'warning') return { ...health, message: textOf(health.message) };
  if (health.state === 'ok') return health;
  const { message, remedy } = health.reason;
  return { ...health, reason: { ...health.reason, message: textOf(message), remedy: textOf(remedy) } };
}
