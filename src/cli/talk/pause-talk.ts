/** What a person is told while no request leaves: a load that waits is easily taken for a dead one. */
import { serviceMessage } from '../../messages/service.ts';
import { textOf } from '../../messages/text.ts';
import { millisecondsOfSecond } from '../../seconds.ts';
import type { ServiceEvents } from '../../service/client.ts';
import { duration } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What is shorter is over before it is read. */
const shortestToldMs = 5_000;
/** A service that asks for pauses again and again is told no more often than this. */
const betweenTellingsMs = 60_000;

/** The same events, and the person hears of pauses. */
export function tellingPauses(events: ServiceEvents, terminal: Pick<Terminal, 'say'>): ServiceEvents {
  let silentUntil = 0;
  const tell = (milliseconds: number, text: (time: string) => string) => {
    const now = performance.now();
    if (milliseconds < shortestToldMs || now < silentUntil) return;
    silentUntil = now + Math.max(milliseconds, betweenTellingsMs);
    terminal.say(text(duration(milliseconds / millisecondsOfSecond)));
  };
  return {
    ...events,
    onWait: (wait) => {
      events.onWait?.(wait);
      const why = textOf(serviceMessage(`pause-${wait.code}`, { status: wait.status }));
      tell(wait.milliseconds, (time) => `${why} Sending goes on by itself in ${time}.`);
    },
    onLost: (lost) => {
      events.onLost?.(lost);
      const why = textOf(lost.fault);
      tell(lost.milliseconds, (time) => `${why} It is tried again for ${time}, and sending goes on by itself.`);
    },
  };
}
