/** Earlier loads, and their rows in doubt as cards: a person looks each up, and says what became of it. */
import { useEffect, useState } from 'preact/hooks';
import type { DoubtShown, RunShown } from '../protocol.ts';
import { ask, attempt } from './api.ts';
import { Counts, Download, Field, Form, Press, type ViewParts } from './parts.tsx';
import { countOf, rows } from './words.ts';

export function Runs({ state, show }: ViewParts) {
  const [runs, setRuns] = useState<readonly RunShown[] | null>(null);
  const [open, setOpen] = useState<string | null>(null);
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
              {shown.began}, by {shown.person}. {shown.isEnded ? '' : 'Not ended.'} <small>{run}</small>
            </p>
            <Counts states={states} />
            <div class="bar">
              <Download wanted={{ what: 'results', run }} label="Results" />
              <Download wanted={{ what: 'wrong', run }} label="Only the wrong rows" />
              {!shown.isEnded && (
                <Press disabled={state.phase === 'loading'} onPress={() => goOn(run)}>
                  Go on
                </Press>
              )}
              {countOf(states, 'in-doubt') > 0 && (
                <Press aria-expanded={open === run} onPress={() => setOpen(open === run ? null : run)}>
                  {rows(countOf(states, 'in-doubt'))} in doubt
                </Press>
              )}
            </div>
            {open === run && <Doubts run={run} onSettled={renew} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Doubts({ run, onSettled }: { readonly run: string; readonly onSettled: () => Promise<void> }) {
  const [doubts, setDoubts] = useState<readonly DoubtShown[] | null>(null);
  const [told, setTold] = useState<readonly string[]>([]);
  const renew = async () => setDoubts(await ask('doubts', { run }));
  useEffect(() => void attempt(renew), [run]);
  const settle = async ({ sheet, row }: DoubtShown, record: string | null) => {
    setTold(await ask('resolve', { run, sheet, row, record }));
    await renew();
    await onSettled();
  };
  if (doubts === null) return <p>Reading the rows …</p>;
  return (
    <div>
      <p role="status">{told.join(' ')}</p>
      <ul class="doubts">
        {doubts.map((doubt) => (
          <Doubt key={`${doubt.sheet}!${doubt.row}`} {...doubt} settle={(record) => settle(doubt, record)} />
        ))}
      </ul>
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
      <p>Look it up in the service. Then say what you found:</p>
      <Form class="bar" onSend={() => settle(record)}>
        <Field label="Its link or id" required value={record} onText={setRecord} />
        <button type="submit">It is there</button>
        <Press onPress={() => settle(null)}>It is not there</Press>
      </Form>
    </li>
  );
}
