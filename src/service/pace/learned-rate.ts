/**
 * How many requests a second the service takes, learnt from what it refuses. Nothing is known, and nothing is held
 * back, before it has refused twice within a while. The interface names no limit (service interface 8), nor how one would be counted: in
 * windows of a second or from a bucket that fills, either must be found, and with few refusals, since each may cost all
 * rows a pause.
 */

/** What the service took in the second before the first refusal is the first guess. */
const countedMs = 1_000;
/**
 * A refusal with no other one within so long is no limit: whoever has reached a limit meets it with all that is on its way.
 * Where a single 429 to the third request was taken for one, 22 requests left in the first four seconds, of some 2,500.
 */
export const aloneMs = 10_000;
/** Moments that count no more are dropped so many at a time: one by one, each would move all others. */
const mostForgotten = 1_000;
/** What of a counted rate is used: the rest covers the unevenness of the network. */
const shareUsed = 0.97;
const lowestRate = 0.5;

/** A rate that has gone well for so long fits into a window of a second: what was refused is what came on top. */
const provenMs = 1_100;
/** A refusal so soon after a pause says that the rate is far too high. */
const atOnceMs = 500;
const cutAtOnce = 2 / 3;
/** What was proven and what was refused may be this far apart; when they are further, the limit is between them. */
const wideGap = 1.3;
/** The way up to a top begins at this share of it, or above. */
const lowestStart = 0.92;
/** Rates that began at this share of where they ended have a mean that says something; the end may be so much above it. */
const even = 0.7;
const aboveMean = 1.12;
/** A mean of less than this is mostly that of the pause before it: what it says is no limit yet. */
const tellingMs = 3_000;
/** A rate that was held steady and is refused all the same is too high by a little. */
const smallestCut = 0.975;

/** Two rates that differ by less are the same. */
const roundingOfRates = 0.001;

/** Growth a second, in the order of its boldness. */
const lookingGrowth = 0.01;
const carefulGrowth = 0.05;
const climbGrowth = 0.15;
const quickGrowth = 0.3;
const boldGrowth = 2;
/** A top that was found in a hurry is held for so long before it is passed. */
const shortHoldMs = 1_500;
/** One that was found carefully is the limit: it is passed after this, each time after a longer while. */
const firstHoldMs = 60_000;
const longestHoldMs = 300_000;
/** A limit that can be passed by so much has moved. */
const moved = 1.12;

/** Rates from one refusal to the next: up to a top, held there for a while, then on beyond it. */
interface Climb {
  readonly from: number;
  readonly start: number;
  readonly top: number;
  readonly holdMs: number;
  /** Growth beyond the top, at first and later. */
  readonly slow: number;
  readonly fast: number;
}

export class LearnedRate {
  #climb: Climb | null = null;
  /** The last refusal before a limit is known, with the guess that it allows. */
  #first: { readonly at: number; readonly resumesAt: number; readonly rate: number } | null = null;
  #timesFound = 0;
  /** Requests taken since the last refusal. */
  #taken = 0;
  #refusedAt = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  readonly #firstTaken: number[] = [];
  #firstCounted = 0;

  /** Requests a second at this moment, or `null` for no known limit. */
  at(now: number): number | null {
    return this.#climb === null ? null : rateOf(this.#climb, now);
  }

  /** Notes a request that the service took. */
  accepted(now: number): void {
    this.#taken += 1;
    if (this.#climb === null) this.#countFirst(now);
  }

  /**
   * Notes a refusal. Requests that had left before the last cut tell nothing new, nor does a refusal when nothing was
   * taken since the last one: the limit is still the same.
   * @param resumesAt  when requests may leave again
   */
  refused(sentAt: number, now: number, resumesAt: number): void {
    const climb = this.#climb;
    const isNew = climb !== null && sentAt >= this.#cutAt && this.#taken > 0 && now - this.#refusedAt > provenMs;
    this.#cutAt = Math.max(this.#cutAt, resumesAt);
    if (climb === null) this.#begin(this.#firstClimb(sentAt, now), now);
    else if (isNew) this.#begin(this.#nextClimb(climb, now, resumesAt), now);
    else if (climb.from < resumesAt) this.#climb = { ...climb, from: resumesAt };
  }

  #begin(climb: Climb | null, now: number): void {
    this.#climb = climb;
    this.#taken = 0;
    this.#refusedAt = now;
  }

  /** `null` for a refusal that may be one by itself. */
  #firstClimb(sentAt: number, now: number): Climb | null {
    const before = this.#first;
    const first = { at: now, resumesAt: this.#cutAt, rate: this.#takenLately(now) };
    this.#first = first;
    if (before === null || now - before.at > aloneMs) return null;
    this.#firstTaken.length = 0;
    // What left before the pause was refused for what had left with it.
    const start = (sentAt < before.resumesAt ? before : first).rate;
    return { from: first.resumesAt, start, top: start, holdMs: 0, slow: carefulGrowth, fast: boldGrowth };
  }

  #takenLately(now: number): number {
    this.#countFirst(now);
    return Math.max(lowestRate, (this.#firstTaken.length - this.#firstCounted) / (countedMs / 1000)) * shareUsed;
  }

  #nextClimb(climb: Climb, now: number, resumesAt: number): Climb {
    const refused = rateOf(climb, now);
    const proven = rateOf(climb, now - provenMs);
    const isFarOff = now - climb.from < atOnceMs;
    const isSteady = !isFarOff && refused <= proven * (1 + carefulGrowth) ** (provenMs / 1000) * (1 + roundingOfRates);
    const between = refused > proven * wideGap ? Math.sqrt(refused * proven) : proven;
    const elapsed = Math.max(1, now - this.#refusedAt);
    // Between two refusals a bucket gives exactly what has flowed into it, the pause included.
    const flow = (this.#taken / elapsed) * 1000;
    // A window gives nothing in a pause, but no window is longer than this.
    const lost = Math.min(provenMs, climb.from - this.#refusedAt, elapsed / 2);
    const mean =
      climb.start < refused * even ? Number.POSITIVE_INFINITY : ((flow * elapsed) / (elapsed - lost)) * aboveMean;
    const cut = isFarOff ? refused * cutAtOnce : Math.min(between, refused * smallestCut);
    const top = Math.max(lowestRate, Math.min(cut, mean));
    const isFound = isSteady && (top >= cut || elapsed >= tellingMs);
    const start = Math.min(top, Math.max(top * lowestStart, flow));
    this.#timesFound = isFound ? this.#timesFound + 1 : 0;
    if (!isFound) return { from: resumesAt, start, top, holdMs: shortHoldMs, slow: carefulGrowth, fast: quickGrowth };
    const holdMs = Math.min(longestHoldMs, firstHoldMs * 2 ** (this.#timesFound - 1));
    return { from: resumesAt, start, top, holdMs, slow: lookingGrowth, fast: quickGrowth };
  }

  /** Keeps the moments of the last second, for the first guess. */
  #countFirst(now: number): void {
    this.#firstTaken.push(now);
    while ((this.#firstTaken[this.#firstCounted] ?? now) <= now - countedMs) this.#firstCounted += 1;
    if (this.#firstCounted > mostForgotten) {
      this.#firstTaken.splice(0, this.#firstCounted);
      this.#firstCounted = 0;
    }
  }
}

function rateOf({ from, start, top, holdMs, slow, fast }: Climb, now: number): number {
  const seconds = Math.max(0, now - from) / 1000;
  const climb = Math.log(top / start) / Math.log(1 + climbGrowth);
  if (seconds <= climb) return start * (1 + climbGrowth) ** seconds;
  const beyond = seconds - climb - holdMs / 1000;
  if (beyond <= 0) return top;
  const slowly = Math.log(moved) / Math.log(1 + slow);
  if (beyond <= slowly) return top * (1 + slow) ** beyond;
  return top * moved * (1 + fast) ** (beyond - slowly);
}
