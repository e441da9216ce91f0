/** A row while it is mapped and after its checks, with its JSON body. Phones, EIN and SSN are written in the contract's formats. */
import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js';
import { type Segment, valueAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind, Reference } from '../contract/record-kind.ts';
import type { Finding } from '../messages/finding.ts';
import { digitsOf } from '../messages/plain-text.ts';
import type { SheetRow } from '../tables/row.ts';

export type Body = Record<string, unknown>;

export function setAt(body: Body, segments: readonly Segment[], value: unknown): void {
  setterAt(segments)(body, value);
}

/** Like `setAt`, for a path that is used often: work that depends only on the path is done once. */
export function setterAt(segments: readonly Segment[]): (body: Body, value: unknown) => void {
  const last = segments.at(-1) as Segment;
  const groups = segments.slice(0, -1).map((segment, position) => {
    const isList = typeof segments[position + 1] === 'number';
    return { segment, isList };
  });
  return (body, value) => {
    let parent: Record<Segment, unknown> = body;
    for (const { segment, isList } of groups) {
      const existing = parent[segment];
      if (typeof existing === 'object' && existing !== null) {
        parent = existing as Record<Segment, unknown>;
      } else {
        const made = isList ? [] : {};
        parent[segment] = made;
        parent = made as Record<Segment, unknown>;
      }
    }
    parent[last] = value;
  };
}

const require = createRequire(import.meta.url);

/** Returns a function that formats the bodies of a kind. It returns the same body if there is nothing to change. */
export function wireWriter(kind: RecordKind, contract: ContractSettings): (body: Body) => Body {
  const rewriters = fieldsOf(kind).flatMap((field) => {
    const rewrite = field.place === 'body' ? rewriterOf(field, contract) : null;
    return rewrite === null ? [] : [{ segments: field.segments, rewrite }];
  });
  if (rewriters.length === 0) return (body) => body;
  return (body) => {
    const written = structuredClone(body);
    for (const { segments, rewrite } of rewriters) {
      const value = valueAt(written, segments);
      if (typeof value === 'string') setAt(written, segments, rewrite(value));
    }
    return written;
  };
}

type Rewriter = (value: string) => string;

function rewriterOf({ format }: Field, { wire, phoneCountry }: ContractSettings): Rewriter | null {
  if (format !== 'phone' && format !== 'ein' && format !== 'ssn') return null;
  if (wire[format] === 'as typed') return null;
  if (format === 'phone') return (text) => writtenPhone(text, phoneCountry, wire.phone === 'digits');
  if (wire[format] === 'digits') return digitsOf;
  const dashed = format === 'ein' ? /^(..)(.*)$/ : /^(...)(..)(.*)$/;
  return (text) => (dashed.exec(digitsOf(text)) ?? []).slice(1).join('-');
}

/**
 * Writes a phone as digits or in E.164 (`+15185550142`). Without + it belongs to the contract's country. Anything but
 * one whole number (`ext. 12`, `1-800-FLOWERS`, `555-0142`) is sent as typed, because either form would change it.
 */
function writtenPhone(text: string, country: string, asDigits: boolean): string {
  const library: typeof import('libphonenumber-js') = require('libphonenumber-js');
  const phone = library.parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  if (phone === undefined || phone.ext !== undefined || !phone.isPossible()) return text;
  return asDigits ? digitsOf(text) : phone.number;
}

export interface NamedReference {
  readonly reference: Reference;
  readonly ref: string;
  readonly column: number | null;
}

export interface CheckedRow {
  readonly kind: RecordKind;
  readonly sheet: string;
  readonly row: number;
  /** The normalized values, in the order of the schema. A reference holds its Ref until it is resolved. */
  readonly body: Body;
  readonly ref: string | null;
  readonly references: readonly NamedReference[];
  /** For updates: the id in the request path; `null` where a Ref names the company. */
  readonly pathId: string | null;
  readonly problems: readonly Finding[];
  readonly isValid: boolean;
  /** The number of fields that the row empties with `<clear>`. */
  readonly clears: number;
  /** The path and the text of each cell that could not be read. Its value is not in the body. */
  readonly unread: readonly (readonly [path: string, text: string])[];
}

export interface Draft extends Omit<CheckedRow, 'isValid' | 'unread'> {
  readonly source: SheetRow;
  ref: string | null;
  readonly references: NamedReference[];
  pathId: string | null;
  readonly problems: Finding[];
  clears: number;
  /** The text of each cell that could not be read, by its path; `null` if it is masked. They are not reported as missing too. */
  readonly faulty: Map<string, string | null>;
}
