/** The file that is open: dropped, read, looked at, sent, and what came of it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Choices, Filter, PageState, PreviewShown } from '../protocol.ts';
import { ask, sendFile } from './api.ts';
import { Grid } from './grid.tsx';
import { End, Loading } from './load-view.tsx';
import { Columns } from './mapping-view.tsx';
import { type Tab, Told, type Try, type ViewParts } from './parts.tsx';
import { Corrections, Findings, Summary } from './preview.tsx';
import { count } from './words.ts';

interface FileParts extends ViewParts {
  readonly isRehearsal: boolean;
  readonly show: (tab: Tab) => void;
}

export function FileView({ state, attempt, isRehearsal, show }: FileParts) {
  const { phase, file, fault, choices } = state;
  const preview = useLastPreview(state);
  if (phase === 'empty') return <Drop attempt={attempt} />;
  return (
    <>
      <div class="bar">
        <h2>{file}</h2>
        {phase === 'reading' && <p role="status">Reading: {count(state.read)} rows so far.</p>}
        {phase !== 'loading' && <Pick attempt={attempt} label="Another file" />}
      </div>
      {phase === 'failed' && fault !== null && <Told fault={fault} />}
      {(phase === 'reading' || phase === 'failed' || phase === 'ready') && (
        <Reading key={file} choices={choices} attempt={attempt} isOpen={phase !== 'ready'} />
      )}
      {phase === 'loading' && state.load !== null && <Loading load={state.load} attempt={attempt} />}
      {phase === 'ended' && state.end !== null && <End end={state.end} attempt={attempt} show={show} />}
      {preview !== null && <Rows state={state} preview={preview} attempt={attempt} isRehearsal={isRehearsal} />}
    </>
  );
}

/** While a file is read again after a change, what was known of it stays in sight. */
function useLastPreview({ file, phase, preview }: PageState): PreviewShown | null {
  const last = useRef<{ file: string | null; preview: PreviewShown } | null>(null);
  if (preview !== null) last.current = { file, preview };
  if (phase === 'reading' && last.current?.file === file) return last.current?.preview ?? null;
  return preview;
}

function Rows({ state, preview, attempt, isRehearsal }: ViewParts & { preview: PreviewShown; isRehearsal: boolean }) {
  const [sheet, setSheet] = useState(preview.sheets[0]?.name ?? '');
  const [filter, setFilter] = useState<Filter>({});
  const [text, setText] = useState('');
  const shown = preview.sheets.find(({ name }) => name === sheet) ?? preview.sheets[0];
  const before = useRef(preview);
  useEffect(() => {
    if (before.current !== preview) setFilter((old) => sameFinding(old, before.current, preview));
    before.current = preview;
  }, [preview]);
  const look = (name: string, wanted: Filter, told: string) => {
    setSheet(name);
    setFilter(wanted);
    setText(told);
  };
  const isReady = state.phase === 'ready';
  const isOpen = isReady || state.phase === 'reading';
  const isFiltered = filter.state !== undefined || filter.finding !== undefined;
  return (
    <>
      {isOpen && <Summary state={state} preview={preview} attempt={attempt} isRehearsal={isRehearsal} look={look} />}
      <div class={isOpen ? 'work' : ''}>
        {isOpen && (
          <div class="aside">
            <Findings preview={preview} filter={filter} attempt={attempt} look={look} choices={state.choices} />
            <Corrections corrections={preview.corrections} attempt={attempt} />
          </div>
        )}
        {shown !== undefined && (
          <section class="rows" aria-label="Rows">
            <div class="bar">
              {preview.sheets.map(({ name, rows }) => (
                <button key={name} type="button" aria-pressed={name === shown.name} onClick={() => look(name, {}, '')}>
                  {name} ({count(rows)})
                </button>
              ))}
              {isFiltered && (
                <button type="button" class="filter" onClick={() => look(shown.name, {}, '')}>
                  Only: {text} ✕<span class="unseen"> show all rows</span>
                </button>
              )}
            </div>
            <Grid
              sheet={shown}
              filter={filter}
              version={state.phase === 'loading' ? `l${state.version}` : `${state.phase}${state.version}`}
              isBusy={state.phase === 'reading'}
              canEdit={isReady}
              attempt={attempt}
            />
          </section>
        )}
      </div>
    </>
  );
}

/** Findings are numbered anew each time: the same one keeps its rows in sight, one that is gone shows all of them. */
function sameFinding(filter: Filter, before: PreviewShown, now: PreviewShown): Filter {
  const old = before.findings.find(({ number }) => number === filter.finding);
  if (old === undefined) return filter.finding === undefined ? filter : {};
  const same = now.findings.find(
    ({ sheet, code, text }) => sheet === old.sheet && code === old.code && text === old.text,
  );
  return same === undefined ? {} : { finding: same.number };
}

function Drop({ attempt }: { readonly attempt: Try }) {
  const [isOver, setIsOver] = useState(false);
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsOver(is);
  };
  return (
    <section
      class={isOver ? 'drop over' : 'drop'}
      aria-label="File"
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        const [file] = event.dataTransfer?.files ?? [];
        if (file !== undefined) void attempt(() => sendFile(file));
      }}
    >
      <h2>Drop a file here</h2>
      <p>An Excel workbook (.xlsx) or a CSV file. It is only read: your file stays as it is.</p>
      <Pick attempt={attempt} label="Choose a file" />
    </section>
  );
}

function Pick({ attempt, label }: { readonly attempt: Try; readonly label: string }) {
  return (
    <label class="button pick">
      {label}
      <input
        type="file"
        accept=".xlsx,.csv,.tsv,.txt"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void attempt(() => sendFile(file));
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

const kinds = {
  companies: 'Companies',
  'company-updates': 'Company updates',
  leads: 'Leads',
  deals: 'Deals',
  notes: 'Notes',
  attachments: 'Attachments',
  submissions: 'Submissions',
  'submission-loans': 'Submission loans',
  transactions: 'Transactions',
};
const orders = { mdy: 'Month first (03/04 is 4 March)', dmy: 'Day first (03/04 is 3 April)' };

/** What a person says of the file where it does not tell by itself. */
function Reading({ choices, attempt, isOpen }: { choices: Choices; attempt: Try; isOpen: boolean }) {
  const change = (some: Partial<Choices>) => attempt(() => ask('choose', { choices: some }));
  return (
    <details class="reading" open={isOpen}>
      <summary>How it is read</summary>
      <label for="kind">
        <span>What the rows are</span>
        <Choice id="kind" value={choices.kind} among={kinds} onPick={(kind) => change({ kind })} />
      </label>
      <label for="order">
        <span>Dates like 03/04/2026</span>
        <Choice id="order" value={choices.dateOrder} among={orders} onPick={(dateOrder) => change({ dateOrder })} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={choices.leaveOutUnknown}
          onChange={({ currentTarget }) => change({ leaveOutUnknown: currentTarget.checked })}
        />
        <span>Leave out columns and sheets that no field takes</span>
      </label>
      <Columns attempt={attempt} />
    </details>
  );
}

function Choice(parts: {
  readonly id: string;
  readonly value: string | null;
  readonly among: Readonly<Record<string, string>>;
  readonly onPick: (value: string | null) => void;
}) {
  const { id, value, among, onPick } = parts;
  return (
    <select id={id} value={value ?? ''} onChange={({ currentTarget }) => onPick(currentTarget.value || null)}>
      <option value="">The file tells</option>
      {Object.entries(among).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
