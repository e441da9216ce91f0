/** A clock that a test moves: time passes as fast as the work in it is done. */
import { setImmediate as afterMicrotasks } from 'node:timers/promises';
import type { Clock } from '../../../src/service/retry.ts';

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

export class VirtualClock implements Clock {
  #time = 0;
  #order = 0;
  #heap: Alarm[] = [];
  readonly #cancelled = new Set<Alarm>();
  #state: number;
  /** The date at the moment 0. */
  readonly epoch = Date.UTC(2026, 5, 30);

  /** @param seed  of the numbers that it gives as random ones */
  constructor(seed = 0x2545f491) {
    this.#state = seed;
  }

  now(): number {
    return this.#time;
  }

  date(): number {
    return this.epoch + this.#time;
  }

  after(milliseconds: number, action: () => void): () => void {
    const alarm = { at: this.#time + Math.max(0, milliseconds), order: this.#order++, action };
    this.#push(alarm);
    return () => this.#cancelled.add(alarm);
  }

  /** The same numbers in each test run, for the same seed. */
  random(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** Lets time pass up to a moment, alarm by alarm, with all that follows from each. */
  async runTo(time: number): Promise<void> {
    await afterMicrotasks();
    for (let next = this.#pop(time); next !== null; next = this.#pop(time)) {
      this.#time = next.at;
      if (!this.#cancelled.delete(next)) next.action();
      await afterMicrotasks();
    }
    this.#time = time;
  }

  #push(alarm: Alarm): void {
    const heap = this.#heap;
    let index = heap.push(alarm) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(alarm, heap[parent])) break;
      heap[index] = heap[parent] as Alarm;
      index = parent;
    }
    heap[index] = alarm;
  }

  #pop(until: number): Alarm | null {
    const heap = this.#heap;
    const [top] = heap;
    if (top === undefined || top.at > until) return null;
    const last = heap.pop() as Alarm;
    if (heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Alarm, heap[child])) child += 1;
      if (!isBefore(heap[child] as Alarm, last)) break;
      heap[index] = heap[child] as Alarm;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

function isBefore(a: Alarm, b: Alarm | undefined): boolean {
  return b === undefined || a.at < b.at || (a.at === b.at && a.order < b.order);
}
