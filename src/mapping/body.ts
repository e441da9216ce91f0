/** Building the JSON body of a row from paths and values. */
import { valueAt as valueIn } from '../contract/body-path.ts';
import type { PathSegment } from '../contract/fields.ts';

export type Body = Record<string, unknown>;

/** Puts a value at a path, making the objects and lists on the way. */
export function setAt(body: Body, segments: readonly PathSegment[], value: unknown): void {
  setterAt(segments)(body, value);
}

/** The same for a path that is used often: what hangs on the path alone is found out once. */
export function setterAt(segments: readonly PathSegment[]): (body: Body, value: unknown) => void {
  const last = segments.at(-1) as PathSegment;
  const groups = segments.slice(0, -1).map((segment, position) => {
    const isList = typeof segments[position + 1] === 'number';
    return { segment, isList };
  });
  return (body, value) => {
    let parent: Record<PathSegment, unknown> = body;
    for (const { segment, isList } of groups) {
      const existing = parent[segment];
      if (typeof existing === 'object' && existing !== null) {
        parent = existing as Record<PathSegment, unknown>;
      } else {
        const made = isList ? [] : {};
        parent[segment] = made;
        parent = made as Record<PathSegment, unknown>;
      }
    }
    parent[last] = value;
  };
}

export function valueAt(body: Body, segments: readonly PathSegment[]): unknown {
  return valueIn<unknown>(body, segments);
}

/** The lists that these paths lead into, as paths, the inner ones first. */
export function listsOf(paths: readonly (readonly PathSegment[])[]): readonly (readonly PathSegment[])[] {
  const lists = new Map<string, readonly PathSegment[]>();
  for (const path of paths) {
    path.forEach((segment, position) => {
      if (typeof segment === 'number') lists.set(path.slice(0, position).join('.'), path.slice(0, position));
    });
  }
  return [...lists.values()].sort((one, other) => other.length - one.length);
}

/** Closes the gaps of lists whose first parts were blank (`Company phone 2` without the first). */
export function closeGaps(body: Body, lists: readonly (readonly PathSegment[])[]): void {
  for (const path of lists) {
    const list = valueAt(body, path);
    if (Array.isArray(list) && list.includes(undefined)) {
      setAt(
        body,
        path,
        list.filter((part) => part !== undefined),
      );
    }
  }
}
