import { afterEach, beforeEach } from 'vitest';

/**
 * Something that is begun before each test of a file or of a `describe`, and ended after it. To be called at its top.
 *
 * @returns what stands for the one of the test that runs
 */
export function forEachTest<Thing extends object>(
  begin: () => Thing | Promise<Thing>,
  end: (thing: Thing) => void | Promise<void>,
): Thing {
  let thing: Thing | null = null;
  beforeEach(async () => {
    thing = await begin();
  });
  afterEach(async () => {
    if (thing !== null) await end(thing);
    thing = null;
  });
  return new Proxy({} as Thing, {
    get: (_, name) => {
      if (thing === null) throw new Error('It is there while a test runs, and neither before nor after.');
      return Reflect.get(thing, name);
    },
  });
}
