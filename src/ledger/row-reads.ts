/** Reads logical rows by digest, by place and by record id. */
import { allStates, rowStates } from '../contract/row-state.ts';
import type { planTexts } from '../messages/plan.ts';
import { messageOf } from '../messages/text.ts';
import type { Answered, Appearance, LogicalRow, NamedRecord, Place, RunCounts, RunEntry } from './ledger.ts';
import { readMessage, storedMessage } from './schema.ts';
import { aboutMany, type Row } from './store.ts';

type Columns<Read> = Readonly<Record<keyof Read, string>>;

const ofRow: Columns<Omit<LogicalRow, 'at' | 'isFirst'>> = {
  id: 'r.id',
  kind: 'r.kind',
  phase: 'r.state',
  outcome: 'r.outcome',
  attempt: 'r.attempt',
  isToRepeat: `CASE WHEN r.state = 'in-doubt' AND r.message = '${storedMessage(messageOf('left-to-repeat'))}' THEN 1 ELSE 0 END`,
  record: 'r.record',
  company: 'r.company',
  url: 'r.url',
  content: 'r.content',
  fields: 'r.fields',
  origin: 'first.origin',
  firstRun: 'first.id',
  runs: `(SELECT string_agg(e.id, ' ') FROM appearances each JOIN sheets t ON t.number = each.sheet JOIN runs e ON e.number = t.run
    WHERE each.id = r.id)`,
  repeats: 'r.repeats',
  corrects: 'r.corrects',
  ref: 'r.ref',
};
const ofPlace: Columns<Omit<LogicalRow['at'], 'order'> & { sheetNumber: number }> = {
  run: 'u.id',
  sheet: 's.name',
  row: 'r.place',
  sourceName: 'u.source_name',
  startedAt: 'u.started_at',
  endedAt: 'u.ended_at',
  sheetNumber: 's.number',
};
const resolved = (which: string) =>
  `CASE WHEN EXISTS (SELECT 1 FROM resolutions t WHERE t.id = a.id AND t.attempt ${which} a.attempt) THEN 1 ELSE 0 END`;
const ofAppearance: Columns<Omit<Appearance, 'row'>> = {
  attempt: 'a.attempt',
  wasResolved: resolved('='),
  wasResolvedBefore: resolved('<'),
  isByRef: 'a.by_ref',
  service: 'n.name',
  runNumber: 'au.number',
};
const rowAndPlace = [...Object.values(ofRow), ...Object.values(ofPlace)].join(', ');
const besideRow = `JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run JOIN runs first ON first.number = r.origin`;
const rowsOn = (id: string) => `rows r ON r.id = ${id} ${besideRow}`;
/** `?1` is the name of the service, or the id of the run. */
const serviceNamed = '(SELECT number FROM services WHERE name = ?1)';
const runNamed = '(SELECT number FROM runs WHERE id = ?1)';

/** Whether the row was last sent by the run of the appearance. */
const isOwn = '(a.state IS NULL AND (r.sheet, r.place) = (a.sheet, a.place))';
/** The result of the row in that run: the noted state, else the outcome of its attempt there. */
const stateInRun = `coalesce(a.state, CASE WHEN NOT ${isOwn} THEN 'not-sent' WHEN r.state = 'sending' THEN 'in-doubt' ELSE coalesce(r.outcome, 'not-sent') END)`;
/** The states in which a row is in, as an SQL list. */
const statesIn = Object.entries(rowStates)
  .filter(([, { isIn }]) => isIn)
  .map(([state]) => `'${state}'`)
  .join(', ');
const idsDiffer: keyof typeof planTexts = 'ids-differ';
/** Whether another run decides the result. A row that is in stays in, and one whose ID cell contradicts the ledger stays invalid. */
const isSuperseded = `(r.state IN ('committed', 'in-doubt') AND r.sheet <> a.sheet AND ${stateInRun} NOT IN (${statesIn})
  AND coalesce(a.message, '') NOT LIKE '["${idsDiffer}",%')`;

const ofEntry: Columns<RunEntry> = {
  sheet: 'h.name',
  row: 'a.place',
  kind: 'r.kind',
  id: 'r.id',
  attempt: 'a.attempt',
  state: stateInRun,
  attempts: `CASE WHEN ${isOwn} THEN r.attempts ELSE 0 END`,
  record: 'r.record',
  company: 'r.company',
  url: 'r.url',
  message: `CASE WHEN ${isOwn} THEN r.message WHEN a.state IS NOT NULL THEN a.message END`,
  phase: 'r.state',
  against: `CASE WHEN ${isOwn} THEN a.message END`,
  since: `CASE WHEN ${isSuperseded} THEN u.id END`,
};

/** `?1` is the run. */
export const sheetsOfRun = `SELECT name FROM sheets WHERE run = ${runNamed} ORDER BY number`;
export const resolutionsOfRun = `SELECT h.name, a.place, n.created, n.person, n.resolved_at FROM sheets h
   JOIN appearances a ON a.sheet = h.number JOIN resolutions n ON n.id = a.id WHERE h.run = ${runNamed} ORDER BY n.number`;

export function answeredOf([sheet, row, created, person, at]: Row): Answered {
  return { sheet, row, created, person, at } as Answered;
}

/** `?1` is the run, `?2` the sheet, `?3` the last place that was read, `?4` the limit. */
export const entriesOfSheet = `SELECT ${Object.values(ofEntry).join(', ')} FROM sheets h JOIN appearances a ON a.sheet = h.number
   JOIN rows r ON r.id = a.id ${besideRow}
   WHERE h.run = ${runNamed} AND h.name = ?2 AND a.place > ?3 ORDER BY a.place LIMIT ?4`;

const statesCounted = ['sending', ...allStates] as const;
/** The rows of all sheets, counted by state. A sum of each state takes no memory, and the limit lets the state of a row be found once. */
export const countsOfRun = `SELECT ${statesCounted.map((state) => `CAST(count(*) FILTER (WHERE shown = '${state}') AS INTEGER)`)} FROM (
   SELECT CASE WHEN ${isOwn} AND r.state = 'sending' THEN 'sending'
     WHEN ${isSuperseded} THEN CASE r.state WHEN 'committed' THEN 'already-loaded' ELSE 'in-doubt' END
     ELSE ${stateInRun} END AS shown
   FROM sheets h JOIN appearances a ON a.sheet = h.number JOIN rows r ON r.id = a.id
   WHERE h.run = ${runNamed} LIMIT ${Number.MAX_SAFE_INTEGER}) AS rows_shown`;

export function countsIn(values: Row): RunCounts {
  const counts = statesCounted.map((state, at) => [state, Number(values[at])] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** `?1` is the service. Reads the ids of the rows that ever had each digest, with its ordinal for the row. */
export const byDigest = aboutMany<string>(
  `SELECT d.id, d.ordinal, q.nr FROM q JOIN digests d ON d.digest = q.digest JOIN rows r ON r.id = d.id
   WHERE r.service = ${serviceNamed} ORDER BY d.id`,
  { digest: ['blob', (digest) => digest] },
);
export const byId = aboutMany<number>(`SELECT ${rowAndPlace} FROM q JOIN ${rowsOn('q.id')} ORDER BY q.nr`, {
  id: ['int', (id) => id],
});
export const byPlace = aboutMany<Place>(
  `SELECT ${rowAndPlace}, ${Object.values(ofAppearance).join(', ')}, q.nr
   FROM q JOIN runs au ON au.id = q.run JOIN sheets asheet ON asheet.run = au.number AND asheet.name = q.sheet
   JOIN appearances a ON a.sheet = asheet.number AND a.place = q.place
   JOIN services n ON n.number = au.service JOIN ${rowsOn('a.id')}`,
  { run: ['text', ({ run }) => run], sheet: ['text', ({ sheet }) => sheet], place: ['int', ({ row }) => row] },
);
/**
 * The rows that stood a number of places below a row, the latest last, if its file still has a row there: results and other copies may
 * be a part of it. A row held as a possible correction gives way to the row it may correct.
 */
export const besideRows = aboutMany<readonly [number, number]>(
  `SELECT ${rowAndPlace}, q.nr FROM q JOIN appearances k ON k.id = q.id
     JOIN appearances a ON a.sheet = k.sheet AND a.place = k.place + q.step JOIN rows there ON there.id = a.id
     JOIN ${rowsOn("CASE there.state WHEN 'open' THEN there.corrects ELSE there.id END")}
   WHERE r.state <> 'open' AND EXISTS (
     SELECT 1 FROM appearances latest JOIN appearances beside ON beside.sheet = latest.sheet AND beside.place = latest.place + q.step
     WHERE latest.id = q.id AND latest.sheet = (
       SELECT coalesce(max(CASE WHEN o.source_name = o.origin THEN e.number END), max(e.number)) FROM appearances each
       JOIN sheets e ON e.number = each.sheet JOIN runs o ON o.number = e.run WHERE each.id = q.id))
   ORDER BY k.sheet`,
  { id: ['int', ([id]) => id], step: ['int', ([, step]) => step] },
);
/** `?1` is the service. */
export const byRecord = aboutMany<NamedRecord>(
  `SELECT ${rowAndPlace}, q.nr FROM q JOIN ${rowsOn(`(SELECT min(o.id) FROM rows o
     WHERE o.service = ${serviceNamed} AND o.record = q.record AND o.kind = q.kind)`)}`,
  { kind: ['text', ({ kind }) => kind], record: ['text', ({ id }) => id] },
);

/** Reads values by column position: databases return arrays several times faster than objects. */
function readerOf<Name extends string>(columns: Readonly<Record<Name, string>>) {
  const names = Object.keys(columns) as Name[];
  return (values: Row, from = 0) => {
    const read: Partial<Record<Name, unknown>> = {};
    for (let at = 0; at < names.length; at += 1) read[names[at] as Name] = values[from + at] ?? null;
    return read as Record<Name, unknown>;
  };
}

const [readRow, readPlace, readEntry] = [readerOf(ofRow), readerOf(ofPlace), readerOf(ofEntry)];
const readAppearance = readerOf(ofAppearance);
const columnsOfPlace = Object.keys(ofRow).length;
const columnsOfRow = columnsOfPlace + Object.keys(ofPlace).length;

function hexOf(bytes: unknown): string | null {
  return bytes instanceof Buffer ? bytes.toString('hex') : null;
}

export function rowOf(values: Row): LogicalRow {
  const { sheetNumber, ...at } = readPlace(values, columnsOfPlace);
  const row = readRow(values);
  const place = { order: [sheetNumber, at.row], ...at };
  const inHex = { content: hexOf(row.content), fields: hexOf(row.fields), ref: hexOf(row.ref) };
  const runs = String(row.runs).split(' ');
  return { at: place, ...row, ...inHex, runs, isToRepeat: row.isToRepeat === 1 } as unknown as LogicalRow;
}

export function appearanceOf(values: Row): Appearance {
  const { wasResolved, wasResolvedBefore, isByRef, ...rest } = readAppearance(values, columnsOfRow);
  const said = { wasResolved: wasResolved === 1, wasResolvedBefore: wasResolvedBefore === 1, isByRef: isByRef === 1 };
  return { row: rowOf(values), ...said, ...rest } as Appearance;
}

export function entryOf(values: Row): RunEntry {
  const entry = readEntry(values);
  const [message, against] = [entry.message, entry.against].map((one) => readMessage(one as string | null));
  return { ...entry, message, against } as RunEntry;
}
