/** Applies the rules of a record kind to a row whose cells were read. Reports every broken rule, not only the first. */
import type * as z from 'zod';
import { pathOf, segmentsOf, valueAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { factsOf } from '../contract/field-facts.ts';
import { type BlankLevel, type Expected, expectedOf, type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { PlaceTaken, placesOf, renamer, withoutGaps } from '../contract/rename.ts';
import { type Finding, findingOf, findingOfValue, isError } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import type { SheetRow } from '../tables/row.ts';
import { type Body, type CheckedRow, type Draft, setAt } from './body.ts';
import { type Column, originOf } from './column.ts';
import { shownText } from './reading.ts';

export interface KindRules {
  readonly labels: ReadonlyMap<string, Field>;
  readonly columns: ReadonlyMap<string, Column>;
  readonly hasLists: boolean;
  readonly expected: readonly (Expected & { readonly level: BlankLevel })[];
  readonly requiredRowFields: readonly string[];
  /** The places in the path of the request, besides the required fields. */
  readonly inPath: readonly string[];
  /** @throws PlaceTaken when the profile moves two values of a body to the same place */
  readonly rename: (body: Body) => unknown;
}

export function kindRules(kind: RecordKind, columns: readonly Column[], contract: ContractSettings): KindRules {
  const fields = fieldsOf(kind);
  const { rename, constants } = contract.requests[kind.name];
  const ownName = columns.some(({ field }) => field === null) ? `${kind.name}.name` : null;
  const inPath = kind.sending.isUpdate ? [] : placesOf(contract.paths[kind.endpoint] ?? '');
  return {
    labels: new Map(fields.map((field) => [field.path, field])),
    columns: new Map(columns.map((column) => [column.path, column] as const)),
    hasLists: columns.some(({ segments }) => segments.some(Number.isInteger)),
    expected: expectedOf(kind)
      .filter(({ name, fields }) => name !== ownName && !fields.some(({ path }) => inPath.includes(path)))
      .map((one) => ({ ...one, level: blankLevelOf(one, contract) })),
    inPath: inPath.filter((path) => !fields.some((field) => field.path === path && field.required)),
    requiredRowFields: fields.flatMap(({ place, required, path }) => (place === 'row' && required ? [path] : [])),
    rename: renamer(rename, constants),
  };
}

function blankLevelOf({ name, source }: Expected, { needs }: ContractSettings): BlankLevel {
  return needs[name] ?? (source === 'listed' ? 'warning' : 'error');
}

export function checkedRow(draft: Draft, rules: KindRules): CheckedRow {
  if (rules.hasLists) withoutGaps(draft.body);
  fillReferences(draft, rules);
  const isNamed = draft.pathId !== null || draft.references.length > 0;
  addMissing(draft, rules, isNamed ? [] : rules.requiredRowFields);
  const parsed = draft.kind.body.safeParse(draft.body);
  // A row with nothing to send is not a record, even if the service requires no field.
  const isEmpty = Object.keys(draft.body).length === 0 && draft.faulty.size === 0;
  if (isEmpty && draft.kind.sending.isUpdate) draft.problems.push(findingOf('error', messageOf('changes-nothing')));
  else if (isEmpty && parsed.success) draft.problems.push(findingOf('error', messageOf('says-nothing')));
  for (const issue of parsed.error?.issues ?? []) addSchemaFault(draft, rules, issue);
  addBlanks(draft, rules);
  addMissing(
    draft,
    rules,
    rules.inPath.filter((path) => valueAt(draft.body, segmentsOf(path)) === undefined),
  );
  checkPlaces(draft, rules);
  const { kind, sheet, row, ref, references, pathId, problems, clears } = draft;
  const body = parsed.success ? (parsed.data as Body) : draft.body;
  const unread = [...draft.faulty].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  const isValid = !problems.some(isError);
  return { kind, sheet, row, body, ref, references, pathId, problems, clears, unread, isValid };
}

/** Puts a Ref where its id will be, so that the schema finds the place filled. */
function fillReferences(draft: Draft, rules: KindRules): void {
  for (const { reference, ref, column } of draft.references) {
    const segments = segmentsOf(reference.fills);
    const isInPath = draft.kind.sending.isUpdate;
    if ((isInPath ? draft.pathId : (valueAt(draft.body, segments) ?? null)) !== null) {
      const subject = { label: labelOf(rules, reference.column), sensitive: false };
      draft.problems.push(findingOfValue('error', column, subject, ref, messageOf('ref-and-id')));
    } else if (!isInPath) {
      setAt(draft.body, segments, ref);
    }
  }
}

function addMissing(draft: Draft, rules: KindRules, paths: readonly string[]): void {
  for (const path of paths) if (!draft.faulty.has(path)) draft.problems.push(missing(draft, rules, path));
}

/** Reports a broken rule of the schema, unless its cell, or one of its group, could not be read. */
function addSchemaFault(draft: Draft, rules: KindRules, issue: z.core.$ZodIssue): void {
  const segments = issue.path.filter((segment) => typeof segment !== 'symbol');
  const path = pathOf(segments);
  if ([...draft.faulty.keys()].some((faulty) => faulty === path || faulty.startsWith(`${path}.`))) return;
  const value = valueAt(draft.body, segments);
  const field = rules.labels.get(path);
  if (value === undefined || field === undefined) {
    draft.problems.push(missing(draft, rules, path));
    return;
  }
  const subject = { label: field.label, sensitive: field.facts.sensitive === true };
  const cell = rules.columns.get(path)?.cellOf(draft.source) ?? null;
  const shown = cell === null ? '' : shownText(cell);
  draft.problems.push(
    findingOfValue('error', columnOf(rules, path, draft.source), subject, shown, brokenRule(issue, value)),
  );
}

function brokenRule(issue: z.core.$ZodIssue, value: unknown): Message {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin !== 'number') return messageOf('empty');
      return messageOf('below-least', { least: [`${issue.minimum}`] });
    case 'too_big':
      return messageOf('too-many-characters', { length: String(value).length, most: [`${issue.maximum}`] });
    case 'invalid_format':
      return messageOf('not-an-email');
    default:
      return messageOf('not-allowed', { why: [issue.message] });
  }
}

const mostNamed = 4;

function missing(draft: Draft, rules: KindRules, path: string): Finding {
  const field = rules.labels.get(path);
  const groupSchema = field === undefined ? draft.kind.body.shape[path] : undefined;
  const label = field?.label ?? (groupSchema === undefined ? path : (factsOf(groupSchema)?.label ?? path));
  const reference = draft.kind.references.find(({ fills }) => fills === path || fills.startsWith(`${path}.`));
  const column = columnToFill(rules, path, reference?.column ?? null);
  const ref = reference === undefined ? null : labelOf(rules, reference.column);
  const inGroup = [...rules.labels.values()].filter((one) => one.path.startsWith(`${path}.`) && !one.facts.rare);
  const columns = inGroup.slice(0, mostNamed - 1).map((one) => one.label);
  const message =
    field === undefined
      ? messageOf('group-missing', { field: label, columns, ref })
      : messageOf('field-missing', { field: label, record: draft.kind.singular, ref });
  return findingOf('error', message, { column, label });
}

/** The column to fill in: the field's own, the name in the group, the Ref instead, or any column of the group. */
function columnToFill(rules: KindRules, path: string, refPath: string | null): number | null {
  const below = [...rules.columns.keys()].filter((candidate) => candidate.startsWith(`${path}.`));
  const named = below.find((candidate) => /name$/i.test(candidate));
  const wanted = [path, named, refPath, below[0]].find((one) => one != null && rules.columns.has(one));
  return columnOf(rules, wanted ?? path);
}

function columnOf({ columns }: KindRules, path: string, row?: SheetRow): number | null {
  const column = columns.get(path);
  return column === undefined ? null : originOf(column, row);
}

function labelOf(rules: KindRules, path: string): string {
  return rules.labels.get(path)?.label ?? path;
}

/** Reports expected fields that are blank: listed fields of a given group, and those that each record should have. */
function addBlanks(draft: Draft, rules: KindRules): void {
  const [text, another] = Object.values(draft.body);
  // Said once, at the first field that is missing.
  let isLine = typeof text === 'string' && another === undefined && draft.faulty.size === 0;
  for (const { name, fields, source, level } of rules.expected) {
    if (level === 'none' || fields.some(({ segments }) => valueAt(draft.body, segments) !== undefined)) continue;
    const [first] = fields;
    if (source === 'listed' && !isGroupGiven(draft.body, first)) continue;
    const references = draft.kind.references.filter(({ fills }) => fields.some(({ path }) => path === fills));
    const paths = [...fields.map(({ path }) => path), ...references.map(({ column }) => column)];
    if (paths.some((path) => draft.faulty.has(path))) continue;
    const column = columnOf(rules, paths.find((path) => rules.columns.has(path)) ?? first.path);
    const names = paths.slice(0, mostNamed).map((path) => labelOf(rules, path));
    const labels = [...names, ...(paths.length > mostNamed ? ['the like'] : [])].join(' or ');
    const record = draft.kind.singular;
    const message =
      level === 'warning'
        ? messageOf('expected-blank', { fields: labels, record, isIn: false })
        : messageOf('assumed-missing', { fields: labels, record, need: name, isLine });
    draft.problems.push(findingOf(level, message, { column, label: first.label }));
    isLine = false;
  }
}

/** A group that names a record by its id needs no other fields. */
function isGroupGiven(body: Body, { segments }: Field): boolean {
  const group = valueAt(body, segments.slice(0, 1));
  return typeof group === 'object' && group !== null && (group as Record<string, unknown>).id === undefined;
}

/** Reports two values for one place of the request, because the service would lose one of them. */
function checkPlaces(draft: Draft, rules: KindRules): void {
  try {
    rules.rename(draft.body);
  } catch (error) {
    if (!(error instanceof PlaceTaken)) throw error;
    const label = labelOf(rules, error.path);
    const place = { column: columnOf(rules, error.path), label };
    draft.problems.push(findingOf('error', messageOf('no-place-in-request', { field: label }), place));
  }
}
