/** A running load, its result, and earlier loads with their rows in doubt, which a person resolves. */
import { useEffect, useState } from 'preact/hooks';
import type { DoubtShown, LoadShown, RunShown } from '../protocol.ts';
import { ask, attempt } from './api.ts';
import { Counts, countOf, Download, FaultNote, Field, Form, Notices, Press, rows, type ViewParts } from './parts.tsx';

export function Loading({ states, toSend, waiting, isStopping, run }: LoadShown) {
  const done = states.reduce((sum, [, , count]) => sum + count, 0);
  return (
    <section class="load" aria-labelledby="sending">
      <h3 id="sending">{run === null ? 'Beginning' : `Sending ${rows(toSend)}`}</h3>
      <progress aria-labelledby="sending" value={run === null ? undefined : done} max={Math.max(toSend, done, 1)} />
      <Counts states={states} />
      <p role="status">
        {isStopping ? 'Stopping: nothing new is sent, what is under way may finish.' : (waiting ?? '')}
      </p>
      <p>You can close this page meanwhile: nothing is lost.</p>
      <Press disabled={isStopping} onPress={() => ask('stop', {})}>
        Stop
      </Press>
    </section>
  );
}

export function End({ load, state, show }: ViewParts & { readonly load: LoadShown }) {
  const { states, faults, notices, run, canResume, address } = load;
  const inDoubt = countOf(states, 'in-doubt');
  return (
    <section class="load" aria-labelledby="ended">
      <h3 id="ended">{canResume ? 'Stopped early' : 'What became of the rows'}</h3>
      {faults.map((fault) => (
        <FaultNote key={fault.message} fault={fault} />
      ))}
      <Notices notices={notices} />
      <Counts states={states} />
      <div class="bar">
        {run !== null && canResume && (
          <Press class="main" onPress={() => ask('resume', { run })}>
            Go on
          </Press>
        )}
        {run !== null && <Download wanted={{ what: 'results', run }} label="Download results" />}
        {run !== null && <Download wanted={{ what: 'wrong', run }} label="Only the wrong rows" />}
        {run !== null && inDoubt > 0 && (
          <Press class={canResume ? '' : 'main'} onPress={() => show('runs', run)}>
            Settle {rows(inDoubt)} in doubt
          </Press>
        )}
        <Press onPress={() => ask('back', {})}>Back to the file</Press>
      </div>
      {address === null && (
        <p>
          This was a rehearsal: nothing was sent. To send the file,{' '}
          {state.services.length > 1 ? 'choose your service at the top.' : 'add your service under Services.'}
        </p>
      )}
    </section>
  );
}

const standing = { running: 'Under way.', stopped: 'Stopped early.', ended: '' } as const;

export function Runs({ state, show, run: first }: ViewParts & { readonly run: string | null }) {
  const [runs, setRuns] = useState<readonly RunShown[] | null>(null);
  const [open, setOpen] = useState(first);
  const renew = () => attempt(async () => setRuns(await ask('runs', {})));
  useEffect(() => void renew(), [state.phase]);
  if (runs === null) return <p>Looking …</p>;
  if (runs.length === 0) return <p>There are no loads yet.</p>;
  const goOn = async (run: string) => {
    await ask('resume', { run });
    show('file');
  };
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier loads</h2>
      <ol class="runs">
        {runs.map(({ id: run, service, states, ...shown }) => (
          <li key={run} class={service === null ? 'rehearsed' : ''}>
            <h3>
              {shown.file} <small>{service ?? 'Rehearsal'}</small>
            </h3>
            <p>
              {shown.began}, by {shown.person}. {standing[shown.state]} <small>{run}</small>
            </p>
            <Counts states={states} />
            <div class="bar">
              <Download wanted={{ what: 'results', run }} label="Results" />
              <Download wanted={{ what: 'wrong', run }} label="Only the wrong rows" />
              {shown.canGoOn && (
                <Press disabled={state.phase === 'loading' || state.phase === 'reading'} onPress={() => goOn(run)}>
                  Go on
                </Press>
              )}
              {countOf(states, 'in-doubt') > 0 && (
                <Press aria-expanded={open === run} onPress={() => setOpen(open === run ? null : run)}>
                  {rows(countOf(states, 'in-doubt'))} in doubt
                </Press>
              )}
            </div>
            {open === run && <Doubts run={run} service={service} onSettled={renew} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface DoubtsParts {
  readonly run: string;
  readonly service: string | null;
  readonly onSettled: () => Promise<void>;
}

function Doubts({ run, service, onSettled }: DoubtsParts) {
  const [doubts, setDoubts] = useState<readonly DoubtShown[] | null>(null);
  const [settled, setSettled] = useState<readonly DoubtShown[]>([]);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const renew = async () => setDoubts(await ask('doubts', { run }));
  useEffect(() => void attempt(renew), [run]);
  const settle = async (doubt: DoubtShown, record: string | null) => {
    const { sheet, row, attempt: about } = doubt;
    const isChange = settled.includes(doubt);
    setNotes(['Settled.', ...(await ask('resolve', { run, sheet, row, attempt: about, record, isChange }))]);
    await renew();
    const came = record === null ? 'You said that it is not there.' : `You said that it is there: ${record}`;
    setSettled((before) => [...before.filter((one) => one !== doubt), { ...doubt, came }]);
    await onSettled();
  };
  const cards = (among: readonly DoubtShown[]) => (
    <ul class="doubts">
      {among.map((doubt) => (
        <Doubt key={`${doubt.sheet}!${doubt.row}`} {...doubt} settle={(record) => settle(doubt, record)} />
      ))}
    </ul>
  );
  if (doubts === null) return <p>Reading the rows …</p>;
  return (
    <div>
      <p role="status">{notes.join(' ')}</p>
      {service !== null && doubts.length > 0 && (
        <p>
          Look each up in{' '}
          <a href={service} target="_blank" rel="noopener noreferrer">
            the service
          </a>
          , then say what you found. If there are many, type it into the ID cells of the results, and drop them under
          “This file”.
        </p>
      )}
      {cards(doubts)}
      {settled.length > 0 && (
        <details>
          <summary>{rows(settled.length)} settled: change an answer</summary>
          {cards(settled)}
        </details>
      )}
    </div>
  );
}

function Doubt(parts: DoubtShown & { readonly settle: (record: string | null) => Promise<void> }) {
  const [record, setRecord] = useState('');
  const { sheet, row, kind, says, came, settle } = parts;
  return (
    <li>
      <h4>
        {sheet} row {row} ({kind})
      </h4>
      {says !== '' && <p>{says}</p>}
      <p>{came}</p>
      <Form class="bar" onSend={() => settle(record)}>
        <Field label="Its link or id, or “created” if it has none" required value={record} onText={setRecord} />
        <button type="submit">It is there</button>
        <Press onPress={() => settle(null)}>It is not there</Press>
      </Form>
    </li>
  );
}
