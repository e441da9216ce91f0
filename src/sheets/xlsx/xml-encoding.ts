/** The character sets that every XML parser knows, by how a part begins (XML 1.0, appendix F). */

/** @returns a name that `TextDecoder` knows */
export function characterSetOf(beginning: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = beginning;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}
