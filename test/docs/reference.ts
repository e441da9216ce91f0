/** The tables of the README that are made from the schemas. */
import { ruleSentences } from '../../src/contract/field-rules.ts';
import { type Field, templateFieldsOf } from '../../src/contract/fields.ts';
import type { RecordKind } from '../../src/contract/record-kind.ts';
import { recordKinds } from '../../src/contract/record-kinds.ts';

/** A table of fields a kind, in Markdown. */
export function fieldTables(): string {
  return recordKinds.map(kindTable).join('\n\n');
}

function kindTable(kind: RecordKind): string {
  const fields = templateFieldsOf(kind, 'every');
  return [
    `### ${kind.sheet} (\`${kind.name}\`)`,
    '',
    kind.about,
    '',
    '| Column | Field | Rules | Example | Source |',
    '|---|---|---|---|---|',
    ...fields.map((field) => fieldLine(field)),
  ].join('\n');
}

function fieldLine(field: Field): string {
  const label = field.required ? `**${field.label}** *` : field.label;
  const isOwn = field.place === 'row' && field.facts.source === 'assumed';
  const source = isOwn ? 'not sent' : `${field.facts.source} ${field.facts.section}`;
  const cells = [label, `\`${field.path}\``, ruleSentences(field).join(' '), field.facts.example, source];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
