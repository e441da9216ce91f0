/** What every record of a kind needs and no rule of a mapping fills: each row would fail its checks for it. */
import { type Field, fieldsOf } from '../../contract/fields.ts';
import { neededGroups, refInPlaceOf } from '../../contract/needs.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { fieldOfHeader } from '../headers.ts';
import type { SheetMappingRules } from './mapping.ts';

/** The required fields that no rule fills. */
function unfilledFields(rules: SheetMappingRules): readonly Field[] {
  const kind = recordKind(rules.kind);
  const filled = filledPaths(rules, kind);
  return fieldsOf(kind).filter(({ required, path }) => required && !isFilledBy(filled, path));
}

function isFilledBy(filled: readonly string[], path: string): boolean {
  return filled.some((each) => each === path || each.startsWith(`${path}.`));
}

/** @returns a whole sentence for each field, and for each group of which one field is needed */
export function unfilledNeeds(rules: SheetMappingRules): readonly string[] {
  const kind = recordKind(rules.kind);
  const filled = filledPaths(rules, kind);
  const groups = neededGroups(kind).filter(({ path }) => !isFilledBy(filled, path));
  const every = `has no column, and every ${kind.singular} needs`;
  return [
    ...unfilledFields(rules).map(({ label, path }) => `${label} ${every} one${insteadOf(path, kind)}.`),
    ...groups.map(({ label, path }) => `${label} ${every} at least one of its cells${insteadOf(path, kind)}.`),
  ];
}

/** The paths of the fields that the rules fill. */
function filledPaths(rules: SheetMappingRules, kind: RecordKind): readonly string[] {
  const ofColumns = Object.values(rules.columns).flatMap((rule) => {
    if (rule === null || typeof rule === 'string') return rule ?? [];
    return rule.split?.fields ?? rule.field ?? [];
  });
  const names = [
    ...ofColumns,
    ...(rules.joins ?? []).map(({ field }) => field),
    ...Object.keys({ ...rules.constants, ...rules.defaults }),
  ];
  const paths = names.map((name) => fieldOfHeader(kind, name)?.path ?? name.replace(/[{}]/g, ''));
  const byRef = kind.references.filter(({ column }) => paths.includes(column)).map(({ fills }) => fills);
  return [...paths, ...byRef];
}

function insteadOf(path: string, kind: RecordKind): string {
  const label = refInPlaceOf(path, kind);
  return label === null ? '' : `, or a ${label}`;
}
