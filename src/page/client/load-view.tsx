/** A load under way, and what came of it. */
import type { EndShown, LoadShown, StateCount, Wanted } from '../protocol.ts';
import { ask, fetchFile } from './api.ts';
import { type Tab, Told, type Try } from './parts.tsx';
import { count, rows } from './words.ts';

export function Loading({ load, attempt }: { readonly load: LoadShown; readonly attempt: Try }) {
  const { states, toSend, waiting, isStopping, run } = load;
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
      <button type="button" disabled={isStopping} onClick={() => attempt(() => ask('stop', {}))}>
        Stop
      </button>
    </section>
  );
}

interface EndParts {
  readonly end: EndShown;
  readonly attempt: Try;
  readonly show: (tab: Tab) => void;
}

export function End({ end, attempt, show }: EndParts) {
  const { states, told, run, canResume, wrong, inDoubt } = end;
  return (
    <section class="load" aria-labelledby="ended">
      <h3 id="ended">{canResume ? 'Stopped before its end' : 'What came of it'}</h3>
      {told.map((fault) => (
        <Told key={fault.message} fault={fault} />
      ))}
      <Counts states={states} />
      <div class="bar">
        {run !== null && canResume && (
          <button type="button" class="main" onClick={() => attempt(() => ask('resume', { run }))}>
            Go on
          </button>
        )}
        {run !== null && <Download wanted={{ what: 'results', run }} attempt={attempt} label="Download results" />}
        {run !== null && wrong > 0 && (
          <Download wanted={{ what: 'wrong', run }} attempt={attempt} label="Only the wrong rows" />
        )}
        {inDoubt > 0 && (
          <button type="button" onClick={() => show('runs')}>
            Settle {rows(inDoubt)} in doubt
          </button>
        )}
        <button type="button" onClick={() => attempt(() => ask('back', {}))}>
          Back to the file
        </button>
      </div>
    </section>
  );
}

export function Counts({ states }: { readonly states: readonly StateCount[] }) {
  return (
    <ul class="counts">
      {states.map(([state, status, rows]) => (
        <li key={state} class={state}>
          <strong>{count(rows)}</strong> {status}
        </li>
      ))}
    </ul>
  );
}

interface DownloadParts {
  readonly wanted: Wanted;
  readonly label: string;
  readonly attempt: Try;
  readonly onNotices?: (notices: readonly string[]) => void;
}

export function Download({ wanted, label, attempt, onNotices }: DownloadParts) {
  return (
    <button
      type="button"
      onClick={() =>
        attempt(async () => {
          const notices = await fetchFile(wanted);
          onNotices?.(notices);
        })
      }
    >
      {label}
    </button>
  );
}
