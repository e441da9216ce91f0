/** Social security numbers and dates of birth in what is exported: stars, unless the person wants them. By name, and an SSN by its look. */
import { isSensitiveName } from '../contract/fields.ts';
import { masked } from '../mapping/marks.ts';
import { ExactNumber, exactText, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';

/** Every dash that stands between numbers. */
const dashes = '\\-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d';
/** 219-09-9999 with any dash or blank, within a longer text too; a digit more makes it the number of something else. */
const betweenParts = `(?:\\s?[${dashes}.]\\s?|\\s)`;
const likeSsn = new RegExp(
  `(?<!\\p{Nd}[${dashes}.]?)\\p{Nd}{3}${betweenParts}\\p{Nd}{2}${betweenParts}\\p{Nd}{4}(?![${dashes}.]?\\p{Nd})`,
  'gu',
);
/** The same record with stars in place of what is sensitive. */
export function withoutSensitive(record: JsonObject): JsonObject {
  let copy: Map<string, JsonValue> | null = null;
  for (const [name, value] of record) {
    const shown = isSensitiveName(name) ? stars(value) : within(value);
    if (shown === value) continue;
    copy ??= new Map(record);
    copy.set(name, shown);
  }
  return copy ?? record;
}

/** The text of a cell of an earlier export, as this one shows it. */
export function shownBefore(label: string, text: string): string {
  return isSensitiveName(label) ? masked(text) : withoutSsn(text);
}

function within(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutSsn(value);
  if (isJsonObject(value)) return withoutSensitive(value);
  if (!Array.isArray(value)) return value;
  const items = (value as readonly JsonValue[]).map(within);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function withoutSsn(text: string): string {
  return text.replace(likeSsn, masked);
}

function stars(value: JsonValue): JsonValue {
  if (value === null || value === '' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return masked(value);
  return masked(value instanceof ExactNumber ? value.digits : exactText(value));
}
