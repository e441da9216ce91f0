/** Social security numbers and dates of birth in what is exported: stars, unless the person wants them. */
import { sensitiveNames } from '../../contract/sensitive-names.ts';
import { masked } from '../../mapping/masking.ts';
import { wordsOf } from './column-words.ts';
import { ExactNumber, exactText, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';

const sensitiveWords = /\b(ssn|social security|dob|date of birth|birth ?date|tin|itin)\b/;
const known = new Map<string, boolean>();

/** The same record with stars in place of what is sensitive. */
export function withoutSensitive(record: JsonObject): JsonObject {
  let copy: Map<string, JsonValue> | null = null;
  for (const [name, value] of record) {
    const shown = isSensitive(name) ? stars(value) : within(value);
    if (shown === value) continue;
    copy ??= new Map(record);
    copy.set(name, shown);
  }
  return copy ?? record;
}

function isSensitive(name: string): boolean {
  let answer = known.get(name);
  if (answer === undefined) {
    answer = sensitiveNames.has(name) || sensitiveWords.test(wordsOf(name).join(' '));
    known.set(name, answer);
  }
  return answer;
}

function within(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return withoutSensitive(value);
  if (!Array.isArray(value)) return value;
  const items = (value as readonly JsonValue[]).map(within);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function stars(value: JsonValue): JsonValue {
  if (value === null || value === '' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return masked(value);
  return masked(value instanceof ExactNumber ? value.digits : exactText(value));
}
