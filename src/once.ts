/** What is worked out from a value once, and kept for as long as that value is. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { readonly made: Made }>();
  return (key) => {
    const found = known.get(key) ?? { made: make(key) };
    known.set(key, found);
    return found.made;
  };
}

/** Asks at the first need, and then gives that answer. */
export function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}
