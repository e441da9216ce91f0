/** Building the JSON body of a row from paths and values. */
import type { PathSegment } from '../contract/fields.ts';

export type Body = Record<string, unknown>;

/** Puts a value at a path, making the objects and lists on the way. */
export function setAt(body: Body, segments: readonly PathSegment[], value: unknown): void {
  let parent: Record<PathSegment, unknown> = body;
  for (let position = 0; position < segments.length - 1; position += 1) {
    const segment = segments[position] as PathSegment;
    const existing = parent[segment];
    if (typeof existing === 'object' && existing !== null) {
      parent = existing as Record<PathSegment, unknown>;
    } else {
      const made = typeof segments[position + 1] === 'number' ? [] : {};
      parent[segment] = made;
      parent = made as Record<PathSegment, unknown>;
    }
  }
  parent[segments.at(-1) as PathSegment] = value;
}

export function valueAt(body: Body, segments: readonly PathSegment[]): unknown {
  let value: unknown = body;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PathSegment, unknown>)[segment];
  }
  return value;
}

/** `company.id` to its segments; only paths without list parts. */
export function segmentsOf(path: string): readonly string[] {
  return path.split('.');
}

/** Closes the gaps of lists whose first parts were blank (`Company phone 2` without the first). */
export function closeGaps(body: Body): void {
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) body[name] = value.filter((part) => part !== undefined);
    else if (typeof value === 'object' && value !== null) closeGaps(value as Body);
  }
}
