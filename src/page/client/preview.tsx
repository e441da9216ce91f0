/** What will happen: counts and sums by sheet, what was found, and what the person changed. */
import { useRef, useState } from 'preact/hooks';
import type {
  Choices,
  CorrectionShown,
  Filter,
  FindingShown,
  PageState,
  PreviewShown,
  SheetShown,
} from '../protocol.ts';
import { ask } from './api.ts';
import type { Try } from './parts.tsx';
import { count, money, rows } from './words.ts';

export type Look = (sheet: string, filter: Filter, told: string) => void;

/** What a load would do with rows of each state. */
const columns: readonly (readonly [state: string, title: string])[] = [
  ['ready', 'To send'],
  ['already-loaded', 'Already loaded'],
  ['unchanged', 'Unchanged'],
  ['changed-since-loaded', 'Changed since loaded'],
  ['in-doubt', 'In doubt'],
  ['waiting', 'Waiting'],
  ['not-sent', 'Held'],
  ['rejected', 'Refused before'],
  ['invalid', 'Wrong'],
  ['left-out', 'Left out'],
];

function countOf({ states }: SheetShown, wanted: string): number {
  return states.find(([state]) => state === wanted)?.[2] ?? 0;
}

interface SummaryParts {
  readonly state: PageState;
  readonly preview: PreviewShown;
  readonly attempt: Try;
  readonly isRehearsal: boolean;
  readonly look: Look;
}

export function Summary({ state, preview, attempt, isRehearsal, look }: SummaryParts) {
  const { sheets, notices, toSend } = preview;
  const shown = columns.filter(([name]) => name === 'ready' || sheets.some((sheet) => countOf(sheet, name) > 0));
  return (
    <section aria-labelledby="happen">
      <h3 id="happen">What will happen</h3>
      {notices.length > 0 && (
        <ul class="notices">
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Sheet</th>
              <th scope="col">Rows</th>
              {shown.map(([name, title]) => (
                <th scope="col" key={name}>
                  {title}
                </th>
              ))}
              <th scope="col">Amounts</th>
              <th scope="col">Amounts to send</th>
            </tr>
          </thead>
          <tbody>
            {sheets.map((sheet) => (
              <tr key={sheet.name}>
                <th scope="row">{sheet.name}</th>
                <td>{count(sheet.rows)}</td>
                {shown.map(([name, title]) => (
                  <td key={name}>
                    <Some sheet={sheet} state={name} title={title} look={look} />
                  </td>
                ))}
                <td>{money(sheet.amount)}</td>
                <td>{money(sheet.amountToSend)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Send state={state} toSend={toSend} attempt={attempt} isRehearsal={isRehearsal} sheets={sheets} />
    </section>
  );
}

function Some({ sheet, state, title, look }: { sheet: SheetShown; state: string; title: string; look: Look }) {
  const rows = countOf(sheet, state);
  if (rows === 0) return <>0</>;
  return (
    <button type="button" class="number" onClick={() => look(sheet.name, { state }, title)}>
      {count(rows)}
      <span class="unseen">
        {' '}
        {title}, {sheet.name}: show these rows
      </span>
    </button>
  );
}

interface SendParts {
  readonly state: PageState;
  readonly toSend: number;
  readonly sheets: readonly SheetShown[];
  readonly attempt: Try;
  readonly isRehearsal: boolean;
}

/** A rehearsal begins at once; what goes into a real service is asked about once more. */
function Send({ state, toSend, sheets, attempt, isRehearsal }: SendParts) {
  const dialog = useRef<HTMLDialogElement>(null);
  const service = state.services.find(({ key }) => key === state.service);
  const load = () => attempt(() => ask('load', {}));
  const amounts = sheets.filter(({ amountToSend }) => amountToSend !== null && amountToSend !== '0');
  return (
    <p class="bar">
      <button
        type="button"
        class="main"
        disabled={state.phase !== 'ready'}
        onClick={() => (isRehearsal ? void load() : dialog.current?.showModal())}
      >
        {isRehearsal ? `Rehearse: send ${rows(toSend)}` : `Send ${rows(toSend)} to ${service?.name}`}
      </button>
      <dialog ref={dialog} aria-labelledby="sure">
        <h3 id="sure">
          Send {rows(toSend)} to {service?.address}?
        </h3>
        {amounts.map(({ name, amountToSend }) => (
          <p key={name}>
            {name}: {money(amountToSend)}
          </p>
        ))}
        <form method="dialog" class="bar">
          <button type="submit" class="main" onClick={() => void load()}>
            Send
          </button>
          <button type="submit">Not yet</button>
        </form>
      </dialog>
    </p>
  );
}

interface FindingsParts {
  readonly preview: PreviewShown;
  readonly filter: Filter;
  readonly choices: Choices;
  readonly attempt: Try;
  readonly look: Look;
}

const fewFindings = 6;

export function Findings({ preview: { findings }, filter, choices, attempt, look }: FindingsParts) {
  const [areAll, showAll] = useState(false);
  if (findings.length === 0) return <p>Nothing was found in the rows.</p>;
  const shown = areAll ? findings : findings.slice(0, fewFindings);
  return (
    <section aria-labelledby="found">
      <h3 id="found">What was found</h3>
      <ul class="findings">
        {shown.map((finding) => (
          <li key={finding.number} class={finding.severity}>
            <button
              type="button"
              class="finding"
              aria-pressed={filter.finding === finding.number}
              onClick={() => look(finding.sheet, { finding: finding.number }, finding.text)}
            >
              <strong>{finding.severity === 'error' ? 'Error' : 'Note'}</strong> {rows(finding.rows)} · {finding.sheet}
              {finding.column === null ? '' : ` · ${finding.column}`}
              <span class="text">{finding.text}</span>
            </button>
            <Everywhere finding={finding} attempt={attempt} />
            {finding.allow !== null && (
              <button
                type="button"
                onClick={() =>
                  attempt(() => ask('choose', { choices: { allow: [...choices.allow, finding.allow ?? ''] } }))
                }
              >
                Let them go out
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < findings.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {findings.length}
        </button>
      )}
      {choices.allow.length > 0 && (
        <p>
          You let go out: {choices.allow.join(', ')}.{' '}
          <button type="button" onClick={() => attempt(() => ask('choose', { choices: { allow: [] } }))}>
            Take back
          </button>
        </p>
      )}
    </section>
  );
}

const longest = 40;

/** One value that all of these rows have, put right in all of them at once. */
function Everywhere({ finding, attempt }: { readonly finding: FindingShown; readonly attempt: Try }) {
  const [to, setTo] = useState('');
  const [everyMonth, setEveryMonth] = useState(false);
  const { from, index } = finding;
  if (from === null || index === null) return null;
  const id = `to-${finding.number}`;
  const change = { sheet: finding.sheet, column: index, from, to, everyMonth };
  return (
    <form
      class="everywhere"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => ask('correct', { changes: [change] }));
      }}
    >
      <label for={id}>
        <span>Replace “{from.length > longest ? `${from.slice(0, longest)}…` : from}” in all rows by</span>
        {finding.choices.length > 0 ? (
          <select id={id} value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)}>
            <option value="">(blank)</option>
            {finding.choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : (
          <input id={id} value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        )}
      </label>
      <label for={`${id}-every`}>
        <input
          id={`${id}-every`}
          type="checkbox"
          checked={everyMonth}
          onChange={({ currentTarget }) => setEveryMonth(currentTarget.checked)}
        />
        <span>every month</span>
      </label>
      <button type="submit">Replace</button>
    </form>
  );
}

export function Corrections({ corrections, attempt }: { corrections: readonly CorrectionShown[]; attempt: Try }) {
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="changes">
      <h3 id="changes">Your changes</h3>
      <p>Your file stays as it is. The results have the changes.</p>
      <ol class="changes">
        {corrections.map(({ number, text }) => (
          <li key={number}>
            {text}{' '}
            <button type="button" onClick={() => attempt(() => ask('undo', { number }))}>
              Undo<span class="unseen"> {text}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
