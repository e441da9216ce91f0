/** The preview: counts and sums by sheet, findings, and the person's changes. */
import { useRef, useState } from 'preact/hooks';
import type { Filter, FindingShown, PageState, PreviewShown } from '../protocol.ts';
import { ask, attempt } from './api.ts';
import { Check, Choice, count, countOf, Field, Form, money, Notices, Press, rows } from './parts.tsx';

export type Look = (sheet: string, filter: Filter) => void;

interface PreviewParts {
  readonly state: PageState;
  readonly preview: PreviewShown;
  readonly look: Look;
}

export function Summary({ state, preview, look }: PreviewParts) {
  const { sheets, notices } = preview;
  const titles = new Map(sheets.flatMap(({ states }) => states.map(([name, status]) => [name, status] as const)));
  return (
    <section aria-labelledby="happen">
      <h3 id="happen">What will happen</h3>
      <Notices notices={notices} />
      <div class="wide">
        <table>
          <thead>
            <tr>
              {['Sheet', 'Rows', ...titles.values(), 'Amounts', 'Amounts to send'].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheets.map((sheet) => (
              <tr key={sheet.name}>
                <th scope="row">{sheet.name}</th>
                <td>{count(sheet.rows)}</td>
                {[...titles].map(([name, title]) => (
                  <td key={name}>
                    {countOf(sheet.states, name) > 0 && (
                      <Press class="number" onPress={() => look(sheet.name, { state: name })}>
                        {count(countOf(sheet.states, name))}
                        <span class="unseen">
                          {' '}
                          {title}, {sheet.name}
                        </span>
                      </Press>
                    )}
                  </td>
                ))}
                <td>{money(sheet.amount)}</td>
                <td>{money(sheet.amountToSend)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Send state={state} preview={preview} />
    </section>
  );
}

/** A real service needs a second confirmation. */
function Send({ state, preview: { toSend, mayBeTwice, sheets } }: Omit<PreviewParts, 'look'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const service = state.services.find(({ key }) => key === state.service);
  const load = () => ask('load', {});
  const amounts = sheets.filter(({ amountToSend }) => amountToSend !== null && amountToSend !== '0');
  return (
    <p class="bar">
      <Press
        class="main"
        disabled={state.phase !== 'ready' || toSend === 0}
        onPress={() => (service?.address == null ? load() : dialog.current?.showModal())}
      >
        {toSend === 0
          ? 'There is nothing to send'
          : service?.address == null
            ? `Rehearse: send ${rows(toSend)}`
            : `Send ${rows(toSend)} to ${service.name}`}
      </Press>
      {service?.address == null && <span>A rehearsal knows only files that were rehearsed before.</span>}
      <dialog ref={dialog} aria-labelledby="sure">
        <h3 id="sure">
          Send {rows(toSend)} to {service?.address}?
        </h3>
        {amounts.map(({ name, amountToSend }) => (
          <p key={name}>
            {name}: {money(amountToSend)}
          </p>
        ))}
        {mayBeTwice > 0 && <p>Possible duplicates: {rows(mayBeTwice)}. The notes say which.</p>}
        <form method="dialog" class="bar">
          <button type="submit" class="main" onClick={() => void attempt(load)}>
            Send
          </button>
          <button type="submit">Not yet</button>
        </form>
      </dialog>
    </p>
  );
}

const fewFindings = 6;
const levels = { error: 'Error', held: 'Held', note: 'Note' } as const;

export function Findings({ state, preview, look, filter }: PreviewParts & { readonly filter: Filter }) {
  const { findings } = preview;
  const { allow } = state.choices;
  const [areAll, showAll] = useState(false);
  const rowsOfKind = (check: string) =>
    findings.reduce((sum, one) => sum + (one.allow === check && !allow.includes(check) ? one.rows : 0), 0);
  const shown = areAll ? findings : findings.slice(0, fewFindings);
  return (
    <section aria-labelledby="found">
      <h3 id="found">What was found</h3>
      <p>{findings.length === 0 ? 'No errors or warnings in the rows.' : 'Click one to see its rows.'}</p>
      <ul class="findings">
        {shown.map((finding, at) => (
          <li key={`${at} ${finding.text}`} class={finding.severity}>
            <Press
              class="finding"
              aria-pressed={filter.finding === at}
              onPress={() => look(finding.sheet, { finding: at })}
            >
              <strong>{levels[finding.level]}</strong> {rows(finding.rows)} · {finding.sheet}
              {finding.column === null ? '' : ` · ${finding.column}`}
              {finding.values}
              <span class="text">{finding.text}</span>
            </Press>
            <Everywhere finding={finding} sheets={preview.sheets} />
            {finding.allow !== null && !allow.includes(finding.allow) && (
              <Press onPress={() => ask('choose', { choices: { allow: [...allow, finding.allow ?? ''] } })}>
                Send them anyway
                {rowsOfKind(finding.allow) > finding.rows && ` (all ${rows(rowsOfKind(finding.allow))} of this kind)`}
              </Press>
            )}
          </li>
        ))}
      </ul>
      {shown.length < findings.length && <Press onPress={() => showAll(true)}>Show all {findings.length}</Press>}
      {allow.length > 0 && (
        <p>
          Sent anyway: {allow.join(', ')}. <Press onPress={() => ask('choose', { choices: { allow: [] } })}>Undo</Press>
        </p>
      )}
    </section>
  );
}

const longest = 40;
const blank = '(blank)';

/** Replaces one value in all rows that have it. */
function Everywhere({ finding, sheets }: { readonly finding: FindingShown } & Pick<PreviewShown, 'sheets'>) {
  const { sheet, from, index } = finding;
  /** Nothing is chosen at first, so that no value is emptied by a slip. */
  const [to, setTo] = useState<string | null>(null);
  const [everyMonth, setEveryMonth] = useState(false);
  if (from === null || index === null) return null;
  const of = sheets.find(({ name }) => name === sheet);
  const choices = of?.choices[index] ?? [];
  const said = from.length > longest ? `${from.slice(0, longest)}…` : from;
  const label = `Replace “${said}” in all rows of ${of?.headers[index]} with`;
  return (
    <Form
      class="everywhere"
      onSend={() => ask('correct', { changes: [{ sheet, column: index, from, to: to ?? '', everyMonth }] })}
    >
      {choices.length === 0 ? (
        <Field label={label} value={to ?? ''} onText={setTo} />
      ) : (
        <Choice
          label={label}
          none="Choose …"
          value={to === '' ? blank : to}
          among={[...choices, blank].map((choice) => [choice, choice])}
          onPick={(choice) => setTo(choice === blank ? '' : choice)}
        />
      )}
      <Check label="every month from now on" isOn={everyMonth} onTurn={setEveryMonth} />
      <button type="submit" disabled={to === null}>
        Replace
      </button>
    </Form>
  );
}

/** Undo is disabled while the file is read again, because the list may be outdated. */
export function Corrections({ state, preview: { corrections } }: Omit<PreviewParts, 'look'>) {
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="changes">
      <h3 id="changes">Your changes</h3>
      <p>Your file stays as it is. The results have the changed cells.</p>
      <ol class="changes">
        {corrections.map((text, at) => (
          <li key={`${at} ${text}`}>
            {text}{' '}
            <Press disabled={state.phase !== 'ready'} onPress={() => ask('undo', { at })}>
              Undo<span class="unseen"> {text}</span>
            </Press>
          </li>
        ))}
      </ol>
    </section>
  );
}
