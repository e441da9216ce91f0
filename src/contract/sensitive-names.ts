/** What is shown masked, in results, messages, drafts, exports and pages: by its name, or because it looks like an SSN. */
import { fieldsOf, type PathSegment } from './fields.ts';
import { recordKinds } from './record-kinds.ts';

export const sensitiveNames: ReadonlySet<PathSegment> = new Set(
  recordKinds.flatMap(fieldsOf).flatMap((field) => (field.facts.sensitive === true ? field.segments.slice(-1) : [])),
);

const sensitiveWords =
  /\b(?:ssn|sin|itin|tin|social|dob|born|birth ?(?:date|day)?|date of birth|bday|tax ?(?:payer )?(?:id|number|no|nr)|national id)\b/;

const known = new Map<PathSegment, boolean>();
const mostKnown = 10_000;

/** Whether a name says so in whole words, however they are put together: `taxId`, `date_of_birth`, `Owner SSN`. */
export function isSensitiveName(name: PathSegment): boolean {
  if (typeof name === 'number') return false;
  let answer = known.get(name);
  if (answer === undefined) {
    answer = sensitiveNames.has(name) || sensitiveWords.test(wordsOf(name));
    if (known.size < mostKnown) known.set(name, answer);
  }
  return answer;
}

const longestName = 200;

function wordsOf(name: string): string {
  return name
    .slice(0, longestName)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

export function holdsSensitive(text: string): boolean {
  return /(?<!\d)\d{3}([- ])\d{2}\1\d{4}(?!\d)/.test(text);
}

export function looksSensitive(value: unknown): boolean {
  return typeof value === 'string' && value.length < longestName && /^\s*\d{3}([- ])\d{2}\1\d{4}\s*$/.test(value);
}
