/** Asking a service whether it is there and takes the token, and saying what it answers. */

import { exitCodeOf } from '../../errors.ts';
import { textOf } from '../../messages/text.ts';
import type { HealthResult } from '../../service/client.ts';
import { silentEvents } from '../../service/events.ts';
import type { StopReason } from '../../service/outcome.ts';
import type { ServiceChoice } from '../settings/service-choice.ts';
import { openService } from '../settings/service-session.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { JsonAnswer } from './json-answer.ts';

/**
 * @param answer  gets the health as an object, or `null` where nobody asks for one
 * @param remedyOf  what to do where the service cannot be used
 * @returns the exit code: 0 unless the token is refused or the service cannot be reached
 */
export async function tellHealth(
  choice: ServiceChoice,
  terminal: Terminal,
  answer: JsonAnswer | null,
  remedyOf: (reason: StopReason) => string = ({ remedy }) => textOf(remedy),
): Promise<number> {
  const session = await openService(choice, null);
  if (session.notice !== null && choice.address !== null) terminal.warn(session.notice);
  const client = session.connect(0, silentEvents);
  try {
    const health = await client.health();
    const service = session.url.href;
    answer?.give(JSON.stringify({ service, ...inWords(health) }));
    switch (health.state) {
      case 'ok':
        terminal.say(`${service} is there and takes the token (${Math.round(health.milliseconds)} ms).`);
        return exitCodes.allIn;
      case 'warning':
        terminal.warn(`${service} is there, but: ${textOf(health.message)}`);
        return exitCodes.allIn;
      case 'blocked':
        terminal.warn(`${textOf(health.reason.message)}\n${remedyOf(health.reason)}`);
        return exitCodeOf[health.reason.code];
    }
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
