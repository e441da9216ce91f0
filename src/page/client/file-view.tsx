/** The view of the open file: drop, read, check, send, and the result. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DateOrder } from '../../contract/date-order.ts';
import type { Choices, ColumnShown, Filter, KindsSaid, MappingShown, PageState, PreviewShown } from '../protocol.ts';
import { ask, attempt, sendFile } from './api.ts';
import { Grid } from './grid.tsx';
import { End, Loading } from './loads.tsx';
import { Check, Choice, count, FaultNote, Field, Form, Press, undecided, type ViewParts } from './parts.tsx';
import { Corrections, Findings, type Look, Summary } from './preview.tsx';

export function FileView({ state, show }: ViewParts) {
  const { phase, file, fault, load, preview } = state;
  if (phase === 'empty') return <Drop />;
  return (
    <>
      <div class="bar">
        <h2>{file}</h2>
        {phase === 'reading' && <p role="status">Reading: {count(state.read)} rows so far.</p>}
        {phase !== 'loading' && <Pick label="Another file" />}
      </div>
      {fault !== null && <FaultNote fault={fault} />}
      {phase !== 'loading' && phase !== 'ended' && <Reading key={file} state={state} />}
      {phase === 'loading' && load !== null && <Loading {...load} />}
      {phase === 'ended' && load !== null && <End load={load} state={state} show={show} />}
      {preview !== null && <Rows state={state} preview={preview} />}
    </>
  );
}

interface View {
  readonly sheet: string;
  readonly filter: Filter;
}

function Rows({ state, preview }: { readonly state: PageState; readonly preview: PreviewShown }) {
  const [{ sheet, filter }, setView] = useState<View>({ sheet: '', filter: {} });
  const shown = preview.sheets.find(({ name }) => name === sheet) ?? preview.sheets[0];
  const before = useRef(preview);
  useEffect(() => {
    const last = before.current;
    before.current = preview;
    if (last !== preview) setView((view) => ({ ...view, filter: sameFinding(view.filter, last, preview) }));
  }, [preview]);
  const look: Look = (name, wanted) => setView({ sheet: name, filter: wanted });
  const only =
    filter.finding === undefined
      ? shown?.states.find(([state]) => state === filter.state)?.[1]
      : preview.findings[filter.finding]?.text;
  const { phase, version, load } = state;
  const isOpen = phase === 'ready' || phase === 'reading';
  const parts = { state, preview, look };
  return (
    <>
      {isOpen && <Summary {...parts} />}
      <div class={isOpen ? 'work' : ''}>
        {isOpen && (
          <div class="aside">
            <Corrections state={state} preview={preview} />
            <Findings {...parts} filter={filter} />
          </div>
        )}
        {shown !== undefined && (
          <section class="rows" aria-label="Rows">
            <div class="bar">
              {preview.sheets.map(({ name, rows }) => (
                <Press key={name} aria-pressed={name === shown.name} onPress={() => look(name, {})}>
                  {name} ({count(rows)})
                </Press>
              ))}
              {phase === 'ended' && (
                <Choice
                  label="Show"
                  none="all rows"
                  value={filter.state ?? null}
                  among={load?.states ?? []}
                  onPick={(one) => look(shown.name, one === null ? {} : { state: one })}
                />
              )}
              {isOpen && only !== undefined && (
                <Press class="filter" onPress={() => look(shown.name, {})}>
                  Only: {only} ✕<span class="unseen"> show all rows</span>
                </Press>
              )}
            </div>
            <Grid
              sheet={shown}
              filter={filter}
              startsAt={preview.findings[filter.finding ?? -1]?.index ?? null}
              version={version}
              isBusy={phase === 'reading'}
              canEdit={phase === 'ready'}
            />
          </section>
        )}
      </div>
    </>
  );
}

/** The index of a finding changes with each preview. Keeps the filter on the same finding, or clears it. */
function sameFinding(filter: Filter, before: PreviewShown, now: PreviewShown): Filter {
  if (filter.finding === undefined) return filter;
  const old = before.findings[filter.finding];
  const at = now.findings.findIndex(({ sheet, text }) => sheet === old?.sheet && text === old.text);
  return at < 0 ? {} : { finding: at };
}

function Drop() {
  return (
    <section class="drop" aria-label="File">
      <h2>Drop a file here</h2>
      <p>An Excel workbook (.xlsx) or a CSV file. It is only read: your file stays as it is.</p>
      <Pick label="Choose a file" />
    </section>
  );
}

function Pick({ label }: { readonly label: string }) {
  return (
    <label class="button pick">
      {label}
      <input
        type="file"
        accept=".xlsx,.csv,.tsv,.txt"
        onChange={({ currentTarget }) => {
          void attempt(() => sendFile(currentTarget.files));
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

const byFile = 'As the file shows';
const encodings = ['utf-8', 'windows-1252', 'macintosh', 'cp850', 'utf-16le'].map((name) => [name, name] as const);
const seldom = [
  ['trustResults', 'Trust the Status cells of a results sheet that this ledger does not know'],
  ['again', 'Send every row again, even those that were loaded before'],
] as const;
const orders: Readonly<Record<DateOrder, string>> = {
  mdy: 'Month first (03/04 is March 4)',
  dmy: 'Day first (03/04 is April 3)',
  ymd: 'Year first (26/04/03 is April 3)',
};

/** What a person declares about the file if it is unclear. */
function Reading({ state: { choices, kinds, preview } }: { readonly state: PageState }) {
  const change = (some: Partial<Choices>) => void attempt(() => ask('choose', { choices: some }));
  const { kind, dateOrder, encoding, leaveOutUnknown } = choices;
  return (
    <details class="reading" open={preview === null}>
      <summary>How it is read</summary>
      <Choice
        label="What the rows are"
        none={byFile}
        value={kind}
        among={kinds}
        onPick={(one) => change({ kind: one })}
      />
      <Choice
        label="Dates like 03/04/2026"
        none={byFile}
        value={dateOrder}
        among={Object.entries(orders)}
        onPick={(one) => change({ dateOrder: one })}
      />
      <Choice
        label="Character set of a CSV file"
        none={byFile}
        value={encoding}
        among={encodings}
        onPick={(one) => change({ encoding: one })}
      />
      <Check
        label="Leave out columns and sheets that match no field"
        isOn={leaveOutUnknown}
        onTurn={(isOn) => change({ leaveOutUnknown: isOn })}
      />
      <Columns kinds={kinds} />
      <details>
        <summary>Rows that were loaded before</summary>
        {seldom.map(([name, label]) => (
          <Check key={name} label={label} isOn={choices[name]} onTurn={(isOn) => change({ [name]: isOn })} />
        ))}
      </details>
    </details>
  );
}

const leftOut = '';

interface Drafted extends Omit<MappingShown, 'sheets'> {
  readonly sheets: readonly SheetDrafted[];
}

interface SheetDrafted extends Omit<MappingShown['sheets'][number], 'columns'> {
  readonly columns: readonly ColumnDrafted[];
}

interface ColumnDrafted extends ColumnShown {
  /** The field that the person chose; `null` leaves the column out. */
  readonly said?: string | null;
}

function chosenIn({ field, isOpen, said }: ColumnDrafted): string {
  if (said === undefined && isOpen) return undecided;
  return (said === undefined ? field : said) ?? leftOut;
}

function Columns({ kinds }: Pick<PageState, 'kinds'>) {
  const [draft, setDraft] = useState<Drafted | null>(null);
  const [kindsSaid, setKindsSaid] = useState<KindsSaid>({});
  const [everyMonth, setEveryMonth] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const begin = async () => setDraft(await ask('draft', { kinds: kindsSaid }));
  if (draft === null) return <Press onPress={begin}>Say what each column is</Press>;
  const { sheets, refScope } = draft;
  const change = (changed: SheetDrafted) =>
    setDraft((now) => now && { ...now, sheets: now.sheets.map((one) => (one.name === changed.name ? changed : one)) });
  const sayKind = (sheet: string, kind: string | null) =>
    attempt(async () => {
      const next = { ...kindsSaid, [sheet]: kind };
      setIsAsking(true);
      const redrafted = await ask('draft', { kinds: next }).finally(() => setIsAsking(false));
      // Another kind has other fields.
      for (const one of redrafted.sheets) if (one.name === sheet) change(one);
      setKindsSaid(next);
    });
  const open = sheets.flatMap(({ isOpen, columns }) => [
    ...(isOpen ? [undecided] : []),
    ...columns.map(chosenIn).filter((chosen) => chosen === undecided),
  ]);
  const isNothing = sheets.every(({ kind }) => kind === null);
  const use = async () => {
    const decided = sheets.flatMap(({ name, columns }) =>
      columns.flatMap(({ header, said }) => (said === undefined ? [] : [{ sheet: name, header, field: said }])),
    );
    const constants = sheets.flatMap(({ name, needed }) =>
      needed.map(({ field, value }) => ({ sheet: name, field, value })),
    );
    await ask('map', { kinds: kindsSaid, decided, constants, refScope: refScope ?? undefined, everyMonth });
    setDraft(null);
  };
  return (
    <Form class="columns" onSend={use}>
      {sheets.map((sheet) => {
        const { name, kind, isOpen, fields, rareFields, laterFields, needed, columns } = sheet;
        const say = (column: ColumnDrafted, said: string | null) =>
          change({ ...sheet, columns: columns.map((one) => (one === column ? { ...one, said } : one)) });
        return (
          <fieldset key={name}>
            <legend>{name}</legend>
            <Choice
              label="What its rows are"
              none="Leave the sheet out"
              value={isOpen ? undecided : kind}
              isOpen={isOpen}
              among={kinds}
              onPick={(picked) => void sayKind(name, picked)}
            />
            {columns.map((column) => (
              <Choice
                key={column.header}
                label={
                  <>
                    {column.header}
                    {column.samples.length > 0 && <small> such as {column.samples.join(' | ')}</small>}
                  </>
                }
                none="Leave out"
                value={chosenIn(column)}
                // What is chosen meanwhile would be lost.
                disabled={isAsking}
                isOpen={column.isOpen}
                among={[]}
                onPick={(said) => say(column, said)}
              >
                <Fields label="It may be" fields={column.suggestions} />
                {column.field !== null && ![...fields, ...rareFields, ...laterFields].includes(column.field) && (
                  <option>{column.field}</option>
                )}
                <Fields label="Fields" fields={fields} />
                <Fields label="Further fields" fields={rareFields} />
                <Fields label="Second and later of several" fields={laterFields} />
              </Choice>
            ))}
            {needed
              .filter(({ field }) => columns.every((column) => chosenIn(column) !== field))
              .map(({ field, choices, value }) => {
                const label = `${field}, the same in every row`;
                const none = 'no column has it';
                const sayOfAll = (said: string | null) =>
                  change({
                    ...sheet,
                    needed: needed.map((one) => (one.field === field ? { ...one, value: said ?? '' } : one)),
                  });
                if (choices.length === 0)
                  return <Field key={field} label={label} value={value} onText={sayOfAll} placeholder={none} />;
                const among = choices.map((choice) => [choice, choice] as const);
                return <Choice key={field} label={label} none={none} value={value} among={among} onPick={sayOfAll} />;
              })}
          </fieldset>
        );
      })}
      <Check
        label="Refs start over in each file: they name no row of an earlier one"
        isOn={refScope === 'file'}
        onTurn={(isOn) => setDraft({ ...draft, refScope: isOn ? 'file' : 'service' })}
      />
      <Check label="Every month, for files with the same headers" isOn={everyMonth} onTurn={setEveryMonth} />
      <button type="submit" class="main" disabled={open.length > 0 || isNothing}>
        {open.length > 0 ? `${open.length} to choose` : 'Use these columns'}
      </button>
    </Form>
  );
}

function Fields({ label, fields }: { readonly label: string; readonly fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <optgroup label={label}>
      {fields.map((field) => (
        <option key={field}>{field}</option>
      ))}
    </optgroup>
  );
}
