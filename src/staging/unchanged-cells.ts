/**
 * Compares a row of an exported template with its export, so that unchanged fields are not sent. If any cell of a list
 * changed, the whole list is sent, because a service that gets a part may drop the rest.
 */
import type { Column } from '../mapping/column.ts';
import { isClearMark } from '../mapping/marks.ts';
import { trimmedText } from '../mapping/reading.ts';
import { isRewritten } from '../mapping/spreadsheet-rewriting.ts';
import { type Finding, findingOf, findingOfValue } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { oncePer } from '../once.ts';
import { undefuse, undefusedRow } from '../tables/csv/csv-writer.ts';
import { type Cell, cellAt, type SheetRow } from '../tables/row.ts';
import { decodeExported, exportedHeader, isAsExported, serviceMark } from '../workbooks/update-template.ts';
import type { MatchedSheet } from './source/matched-sheet.ts';

export interface ComparedRow {
  readonly row: SheetRow;
  /** No value changed, so there is nothing to send. Cells may have been emptied. */
  readonly isUnchanged: boolean;
  /** The paths of unchanged values that are sent because another part of their list has changed. */
  readonly asExported: readonly string[];
  readonly problems: readonly Finding[];
}

/** @param service the target service, or `null` when none is chosen. @returns `null` for a kind that changes nothing */
export function comparisonOf(sheet: MatchedSheet, service: string | null): ((row: SheetRow) => ComparedRow) | null {
  if (!sheet.kind.sending.isUpdate) return null;
  const exported = sheet.header.headers.findIndex((header) => header?.trim() === exportedHeader);
  // Columns that a mapping or profile adds come after the headers.
  const groups = groupsOf(sheet.columns.filter(({ index }) => index < sheet.header.headers.length));
  const key = sheet.columns.find((column) => column.path === 'companyId')?.index ?? null;
  const mark = service === null ? null : serviceMark(service);
  return (row) => {
    const text = exported === -1 ? '' : trimmedText(cellAt(row, exported));
    if (text === '') return { ...asItIs(row), problems: wholeLists(row, groups) };
    const company = decodeExported(text);
    const id = key === null ? '' : trimmedText(cellAt(row, key));
    if (company === null) return refused(row, exported, messageOf('exported-mark-changed', { header: exportedHeader }));
    if (company.id !== id) return refused(row, key, messageOf('exported-for-other-company', { id: company.id }));
    if (mark !== null && company.service !== null && company.service !== mark)
      return refused(row, key, messageOf('exported-from-other-service', { id }));
    const { values } = company;
    return values === null ? asItIs(undefusedRow(row)) : compared(row, values, company.locked, groups);
  };
}

/** When the row of an unchanged template was exported, or `null` if it does not say. */
export const exportedAtOf = oncePer((row: SheetRow): string | null => {
  const marks = row.values.map((cell) => decodeExported(trimmedText(cell)));
  return marks.find((mark) => mark !== null)?.exportedAt ?? null;
});

type Groups = ReadonlyMap<string, readonly Column[]>;

function groupsOf(columns: readonly Column[]): Groups {
  const groups = new Map<string, readonly Column[]>();
  for (const column of columns) {
    if (column.place === 'row') continue;
    // The top-level member of the body: `emails` for `emails[0].email`.
    const name = column.path.replace(/[.[].*$/, '');
    groups.set(name, [...(groups.get(name) ?? []), column]);
  }
  return groups;
}

function compared(
  row: SheetRow,
  fromExport: Readonly<Record<string, string>>,
  locked: readonly string[],
  groups: Groups,
): ComparedRow {
  const values: Cell[] = [...undefusedRow(row).values];
  const problems: Finding[] = [];
  const asExported: string[] = [];
  let isUnchanged = true;
  for (const [name, columns] of groups) {
    const isWhole = columns.some((column) => column.path !== name);
    const changed: Column[] = [];
    let cleared: Column | null = null;
    for (const column of columns) {
      const text = trimmedText(cellAt(row, column.index));
      const exported = fromExport[column.path];
      const [index, field] = [column.index, column.label];
      const place = { column: index, label: field };
      if (isAsExported(text, exported) || isAsExported(undefuse(text), exported)) continue;
      if (text === '') {
        const isPart = column.path !== name;
        problems.push(findingOf('warning', messageOf('exported-cell-emptied', { field, isPart }), place));
      } else if (exported !== undefined && isRewritten(text, exported)) {
        const message = messageOf('exported-cell-rewritten', { exported });
        problems.push(findingOfValue('warning', index, column, text, message));
      } else {
        const isClear = isClearMark(text);
        const isHidden = exported === undefined && locked.includes(name);
        const said = { exported: exported ?? null, isCleared: isClear, isHidden };
        const message = messageOf('exported-cell-changed', said);
        if (!isClear || exported || isHidden) problems.push(findingOfValue('warning', index, column, text, message));
        changed.push(column);
        if (isClear) cleared ??= column;
      }
    }
    if (changed.length > 0) isUnchanged = false;
    for (const column of columns) {
      if (changed.includes(column)) continue;
      const path = column.path;
      // A blank cell leaves its part unchanged: a list that is sent keeps the exported value.
      const isSent = changed.length > 0 && cleared === null;
      values[column.index] = isSent ? (fromExport[path] ?? null) : null;
      if (isSent && path in fromExport) asExported.push(path);
    }
    const [first] = changed;
    if (first === undefined || !isWhole) continue;
    const textOf = ({ index }: Column) => trimmedText(cellAt(row, index));
    if (cleared !== null && columns.some((one) => !changed.includes(one) && textOf(one) !== '')) {
      const message = messageOf('clear-and-filled');
      problems.push(findingOfValue('error', cleared.index, cleared, textOf(cleared), message));
    } else if (cleared === null && locked.includes(name)) {
      const place = { column: first.index, label: first.label };
      problems.push(findingOf('error', messageOf('exported-list-locked', { field: place.label }), place));
    }
  }
  return { row: { ...row, values }, isUnchanged, asExported, problems };
}

/** A typed list replaces the list of the service, and this row does not show what the service has. */
function wholeLists(row: SheetRow, groups: Groups): readonly Finding[] {
  return [...groups].flatMap(([name, columns]) => {
    const filled = columns.find((column) => {
      const text = trimmedText(column.cellOf(row));
      return column.path !== name && text !== '' && !isClearMark(text);
    });
    if (filled === undefined) return [];
    const text = trimmedText(filled.cellOf(row));
    return [findingOfValue('warning', filled.index, filled, text, messageOf('list-replaced'))];
  });
}

function asItIs(row: SheetRow): ComparedRow {
  return { row, isUnchanged: false, asExported: [], problems: [] };
}

function refused(row: SheetRow, column: number | null, message: Message): ComparedRow {
  return { ...asItIs(row), problems: [findingOf('error', message, { column, label: null })] };
}
