/** What a mapping says twice: of two rules for one thing, one would be passed over in silence. */
import { recordKind } from '../../contract/record-kinds.ts';
import { placeNamed } from '../headers.ts';
import { headerName } from './header-name.ts';
import type { Join, Mapping, SheetMappingRules } from './mapping.ts';
import { valueName } from './value-map.ts';

/** Each contradiction as the place in the mapping and a sentence. */
export function contradictionsIn(mapping: Mapping): readonly string[] {
  return [
    ...sameSheets(mapping),
    ...mapping.sheets.flatMap((rules, index) =>
      contradictionsOf(rules).map((contradiction) => `sheets[${index}] › ${contradiction}`),
    ),
  ];
}

function sameSheets({ sheets, ignoreSheets = [] }: Mapping): readonly string[] {
  const names = sheets.flatMap(({ sheet }) => (sheet === undefined ? [] : [sheet]));
  const pairs = pairsOf(names, headerName);
  const same = pairs.map(([one, other]) => `sheets: ${both(one, other)} name the same sheet. Keep one of them.`);
  const leftOut = ignoreSheets.filter((name) => names.some((named) => headerName(named) === headerName(name)));
  const isNameless = sheets.length > 1 && names.length < sheets.length;
  return [
    ...same,
    ...leftOut.map((name) => `ignoreSheets: "${name}" has rules in "sheets", too. Keep one of them.`),
    ...(isNameless ? ['sheets: one of several names no sheet. Name the sheet of each.'] : []),
  ];
}

function contradictionsOf(rules: SheetMappingRules): readonly string[] {
  const { columns, constants = {}, defaults = {}, blanks = [] } = rules;
  const sameColumns = pairsOf(Object.keys(columns), headerName).map(
    ([one, other]) => `columns: ${both(one, other)} name the same column. Keep one of them.`,
  );
  return [
    ...sameColumns,
    ...Object.entries(columns).flatMap(([header, rule]) => [
      ...inColumn(header, rule),
      ...deadValues(header, rule, blanks),
    ]),
    ...sameFields(rules, 'constants', Object.keys(constants)),
    ...sameFields(rules, 'defaults', Object.keys(defaults)),
    ...idleDefaults(rules),
    ...(rules.joins ?? []).flatMap(withoutSign),
  ];
}

/** What is no amount has no sign, and what is not joined is not in the sum. */
function withoutSign({ field, columns, with: between, minus = [] }: Join): readonly string[] {
  const joinedNames = new Set(columns.map(headerName));
  const strangers = minus.filter((name) => !joinedNames.has(headerName(name)));
  const faults = strangers.map((name) => `joins › ${field}: "minus" names "${name}", which is not joined there.`);
  return minus.length > 0 && between !== ''
    ? [...faults, `joins › ${field}: "minus" is for an amount in one of several columns, which are joined with "".`]
    : faults;
}

function inColumn(header: string, rule: SheetMappingRules['columns'][string]): readonly string[] {
  if (rule === null || typeof rule === 'string') return [];
  const told = Object.entries(rule.values ?? {});
  const values = pairsOf(told, ([from]) => valueName(from))
    .filter(([[, one], [, other]]) => one !== other)
    .map(
      ([[one, to], [other, otherTo]]) =>
        `columns › ${header} › values: ${both(one, other)} are the same in a cell, and stand for ${JSON.stringify(to)} and ${JSON.stringify(otherTo)}. Keep one of them.`,
    );
  const isTwoThings = rule.split !== undefined && rule.field != null;
  const twoThings = isTwoThings
    ? [`columns › ${header}: it is both split and a field of its own. Keep "split" or "field".`]
    : [];
  return [...values, ...twoThings];
}

/** A cell that counts as blank is not looked up. */
function deadValues(
  header: string,
  rule: SheetMappingRules['columns'][string],
  blanks: readonly string[],
): readonly string[] {
  if (rule === null || typeof rule === 'string') return [];
  const words = new Set(blanks.map((word) => word.trim()));
  return Object.entries(rule.values ?? {})
    .filter(([from, to]) => to !== '' && to !== null && words.has(from.trim()))
    .map(
      ([from, to]) =>
        `columns › ${header} › values: "${from}" counts as blank by "blanks", and stands for "${to}". Keep one of them.`,
    );
}

function sameFields(rules: SheetMappingRules, part: string, names: readonly string[]): readonly string[] {
  return pairsOf(names, (name) => placeOf(rules, name)).map(
    ([one, other]) => `${part}: ${both(one, other)} name the same field. Keep one of them.`,
  );
}

/** A field that says the same in every row is never blank. */
function idleDefaults(rules: SheetMappingRules): readonly string[] {
  const constant = new Set(Object.keys(rules.constants ?? {}).map((name) => placeOf(rules, name)));
  return Object.keys(rules.defaults ?? {})
    .filter((name) => constant.has(placeOf(rules, name)))
    .map((name) => `defaults: "${name}" stands in the constants, too. Keep one of them.`);
}

function placeOf({ kind }: SheetMappingRules, name: string): string {
  return placeNamed(recordKind(kind), name) ?? name;
}

/** What has the same key as something before it, each beside that. */
function pairsOf<Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
): readonly (readonly [Thing, Thing])[] {
  const first = new Map<string, Thing>();
  return things.flatMap((thing) => {
    const before = first.get(keyOf(thing));
    if (before === undefined) first.set(keyOf(thing), thing);
    return before === undefined ? [] : [[before, thing] as const];
  });
}

function both(one: string, other: string): string {
  return `"${one}" and "${other}"`;
}
