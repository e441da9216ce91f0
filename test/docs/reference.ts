/** The tables of docs/fields.md that are made from the schemas. */
import { type Field, mustBeFilled, ruleSentences, templateFieldsOf } from '../../src/contract/fields.ts';
import type { RecordKind, RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';

/** Kinds with most of the columns of another: what they share stands in the table of that one alone. */
const likeAnother: Partial<Record<RecordKindName, RecordKindName>> = { 'company-updates': 'companies', leads: 'deals' };

/** A table of fields a kind, in Markdown. */
export function fieldTables(): string {
  return recordKinds.map(kindTable).join('\n\n');
}

function kindTable(kind: RecordKind): string {
  const fields = templateFieldsOf(kind, 'every');
  const base = likeAnother[kind.name];
  const other = base === undefined ? null : recordKind(base);
  const elsewhere = new Set(other === null ? [] : templateFieldsOf(other, 'every').map(factsOf));
  const own = fields.filter((field) => !elsewhere.has(factsOf(field)) && twinOf(field, fields) === null);
  const withTwin = fields.filter((field) => other === null && twinOf(field, fields) !== null);
  return [
    `### ${kind.sheet} (\`${kind.name}\`)`,
    '',
    kind.about.replaceAll(/<\w+>/g, (mark) => `\`${mark}\``),
    '',
    '| Column | Field | Rules | Example | Source |',
    '|---|---|---|---|---|',
    ...own.map((field) => fieldLine(field, kind)),
    ...(withTwin.length === 0 ? [] : ['', ofSecondOwner(withTwin)]),
    ...(other === null ? [] : ['', sharedColumns(fields, other)]),
  ].join('\n');
}

function fieldLine(field: Field, kind: RecordKind): string {
  const label = mustBeFilled(field, kind) ? `**${field.label}** *` : field.label;
  return `| ${[label, ...cellsOf(field)].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function cellsOf(field: Field): readonly string[] {
  const isOwn = field.place === 'row' && field.facts.source === 'assumed';
  const source = isOwn ? 'not sent' : field.facts.source;
  return [`\`${field.path}\``, ruleSentences(field).join(' '), field.facts.example, source];
}

/** All that a table says of a field but whether it must be filled. */
function factsOf(field: Field): string {
  return [field.label, ...cellsOf(field)].join('|');
}

/** The same field of the first owner. */
function twinOf(field: Field, fields: readonly Field[]): Field | null {
  const first = (text: string) => text.replace('Owner 2', 'Owner 1').replace('owner2', 'owner1');
  if (first(field.path) === field.path) return null;
  return fields.find((other) => factsOf(other) === first(factsOf(field))) ?? null;
}

function ofSecondOwner(fields: readonly Field[]): string {
  const [field] = fields;
  return `Owner 2 has the ${fields.length} columns of Owner 1: \`${field?.label}\` is \`${field?.path}\`, and so on.`;
}

function sharedColumns(fields: readonly Field[], other: RecordKind): string {
  const others = templateFieldsOf(other, 'every');
  const shared = others.filter((field) => fields.some((own) => factsOf(own) === factsOf(field)));
  const notHere = others.filter((field) => !fields.some((own) => own.path === field.path));
  const without = notHere.length === 0 ? '' : `, but ${namesOf(notHere)}`;
  const needed = shared.filter(({ required }) => required);
  const may = needed.length === 0 ? '' : ` ${namesOf(needed)} may be blank.`;
  return `And the columns of [${other.sheet}](#${other.name}-${other.name})${without}.${may}`;
}

function namesOf(fields: readonly Field[]): string {
  return fields.map(({ label }) => `\`${label}\``).join(' and ');
}
