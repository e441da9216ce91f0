/** From a row of a sheet to its record, also where the sheet is shaped by a mapping, or was exported and changed since. */
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { SheetEvidence } from '../mapping/column-evidence.ts';
import type { RowShape } from '../mapping/mapping-file/row-shape.ts';
import { type MappingSettings, type RowMapper, rowMapper } from '../mapping/row-mapper.ts';
import { type Finding, isError } from '../messages/finding.ts';
import type { MatchedSheet } from './source/matched-sheet.ts';
import { comparisonOf } from './unchanged-cells.ts';

export function sheetMapper(
  sheet: MatchedSheet,
  options: Omit<MappingSettings, 'decimals'> & { readonly service: string | null },
  evidence: SheetEvidence,
): RowMapper {
  const { shape, kind, columns, name } = sheet;
  const { word } = sheet;
  const settings = { ...options, ...word, dateOrder: options.dateOrder ?? word.dateOrder };
  const map = rowMapper({ kind, sheet: name, columns }, settings, evidence);
  if (shape !== null) return (row) => atOrigins(map(shape.reshape(row)), shape, shape.notesOf(row));
  const compare = comparisonOf(sheet, options.service);
  if (compare === null) return map;
  return (row) => {
    const compared = compare(row);
    const mapped = map(compared.row);
    const { problems } = compared;
    if (compared.isUnchanged) return { ...mapped, problems, isValid: true, reading: 'whole' };
    if (problems.length === 0) return mapped;
    const isValid = mapped.isValid && !problems.some(isError);
    return { ...mapped, problems: [...mapped.problems, ...problems], isValid };
  };
}

/** Problems are told at the cells that the person knows. */
function atOrigins(row: CheckedRow, shape: RowShape, notes: readonly Finding[]): CheckedRow {
  if (row.problems.length === 0 && notes.length === 0) return row;
  const problems = row.problems.map((problem) =>
    problem.column === null ? problem : { ...problem, column: shape.originsOf(problem.column)[0] ?? null },
  );
  const isValid = row.isValid && !notes.some(isError);
  return { ...row, problems: [...problems, ...notes], isValid };
}
