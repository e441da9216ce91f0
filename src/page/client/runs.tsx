/** Earlier loads, and their rows in doubt as cards: a person looks each up, and says what became of it. */
import { useEffect, useState } from 'preact/hooks';
import type { DoubtShown, RunShown } from '../protocol.ts';
import { ask } from './api.ts';
import { Counts, Download } from './load-view.tsx';
import type { Tab, ViewParts } from './parts.tsx';
import { rows } from './words.ts';

export function Runs({ state, attempt, show }: ViewParts & { readonly show: (tab: Tab) => void }) {
  const [runs, setRuns] = useState<readonly RunShown[] | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const renew = () => attempt(async () => setRuns(await ask('runs', {})));
  useEffect(() => void renew(), [state.phase]);
  if (runs === null) return <p>Looking …</p>;
  if (runs.length === 0) return <p>There are no loads yet.</p>;
  const isBusy = state.phase === 'loading';
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier loads</h2>
      <ol class="runs">
        {runs.map((run) => (
          <li key={run.id} class={run.isRehearsal ? 'rehearsed' : ''}>
            <h3>
              {run.file} <small>{run.isRehearsal ? 'Rehearsal' : run.service}</small>
            </h3>
            <p>
              {run.began}, by {run.person}. {run.state === 'ended' ? '' : 'Not ended.'} <small>{run.id}</small>
            </p>
            <Counts states={run.states} />
            <div class="bar">
              <Download wanted={{ what: 'results', run: run.id }} attempt={attempt} label="Results" />
              <Download wanted={{ what: 'wrong', run: run.id }} attempt={attempt} label="Only the wrong rows" />
              {run.canResume && state.load?.run !== run.id && (
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() =>
                    attempt(async () => {
                      await ask('resume', { run: run.id });
                      show('file');
                    })
                  }
                >
                  Go on
                </button>
              )}
              {run.inDoubt > 0 && (
                <button
                  type="button"
                  aria-expanded={open === run.id}
                  onClick={() => setOpen(open === run.id ? null : run.id)}
                >
                  {rows(run.inDoubt)} in doubt
                </button>
              )}
            </div>
            {open === run.id && <Doubts run={run.id} attempt={attempt} onSettled={renew} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface DoubtsParts {
  readonly run: string;
  readonly attempt: ViewParts['attempt'];
  readonly onSettled: () => void;
}

function Doubts({ run, attempt, onSettled }: DoubtsParts) {
  const [doubts, setDoubts] = useState<readonly DoubtShown[] | null>(null);
  const [told, setTold] = useState<readonly string[]>([]);
  const renew = () => attempt(async () => setDoubts(await ask('doubts', { run })));
  useEffect(() => void renew(), [run]);
  const settle = (doubt: DoubtShown, record: string | null) =>
    attempt(async () => {
      const { sheet, row } = doubt;
      setTold((await ask('resolve', { run, sheet, row, record })).told);
      await renew();
      onSettled();
    });
  if (doubts === null) return <p>Reading the rows …</p>;
  return (
    <div>
      <p role="status">{told.join(' ')}</p>
      <ul class="doubts">
        {doubts.map((doubt) => (
          <Doubt key={`${doubt.sheet}!${doubt.row}`} doubt={doubt} settle={(record) => settle(doubt, record)} />
        ))}
      </ul>
    </div>
  );
}

function Doubt({ doubt, settle }: { doubt: DoubtShown; settle: (record: string | null) => Promise<void> }) {
  const [record, setRecord] = useState('');
  const { sheet, row, kind, says, came } = doubt;
  return (
    <li>
      <h4>
        {sheet} row {row} ({kind})
      </h4>
      {says !== '' && <p>{says}</p>}
      <p>{came}</p>
      <p>Look it up in the service. Then say what you found:</p>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (record.trim() !== '') void settle(record);
        }}
      >
        <label>
          <span>Its link or id</span>
          <input value={record} onInput={({ currentTarget }) => setRecord(currentTarget.value)} />
        </label>
        <button type="submit">It is there</button>
        <button type="button" onClick={() => void settle(null)}>
          It is not there
        </button>
      </form>
    </li>
  );
}
