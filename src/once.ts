/** Computes a value once per object, and caches it as long as the object lives. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { readonly made: Made }>();
  return (key) => {
    const found = known.get(key) ?? { made: make(key) };
    known.set(key, found);
    return found.made;
  };
}

/** Computes a value once per text. Remembers the first texts only, because a file may have any number of them. */
export function oncePerText<Made>(make: (text: string) => Made, most = 1_000): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size < most) known.set(text, made);
    return made;
  };
}

/** Asks on the first call, and returns the same promise from then on. */
export function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}
