/** What a person is told while no request leaves: a load that waits is easily taken for a dead one. */
import { millisecondsOfSecond } from '../../pipeline/rows/seconds.ts';
import type { Pause } from '../../service/limiter.ts';
import type { ServiceEvents } from '../../service/sending/events.ts';
import { networkFaultText } from '../../service/sending/network-fault.ts';
import { duration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What is shorter is over before it is read. */
const shortestToldMs = 5_000;
/** A service that asks for pauses again and again is told no more often than this. */
const betweenTellingsMs = 60_000;

const pauseReasons: Readonly<Record<Pause['code'], (status: number) => string>> = {
  asked: (status) => `The service answered ${status} and asks for a pause.`,
  limited: (status) => `The service answered ${status}: too many requests for now.`,
  'used-up': () => 'The requests that the service allows for now are used up.',
};

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
      events.onWait(wait);
      tell(
        wait.milliseconds,
        (time) => `${pauseReasons[wait.code](wait.status)} Sending goes on by itself in ${time}.`,
      );
    },
    onLost: (lost) => {
      events.onLost(lost);
      const text = networkFaultText(lost.fault);
      tell(lost.milliseconds, (time) => `${text} It is tried again for ${time}, and sending goes on by itself.`);
    },
  };
}
