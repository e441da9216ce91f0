/** A load under way, and what came of it. */
import type { LoadShown } from '../protocol.ts';
import { ask } from './api.ts';
import { Counts, Download, Press, Told, type ViewParts } from './parts.tsx';
import { countOf, rows } from './words.ts';

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

export function End({ states, told, run, canResume, show }: LoadShown & Pick<ViewParts, 'show'>) {
  const inDoubt = countOf(states, 'in-doubt');
  return (
    <section class="load" aria-labelledby="ended">
      <h3 id="ended">{canResume ? 'Stopped before its end' : 'What came of it'}</h3>
      {told.map((fault) => (
        <Told key={fault.message} fault={fault} />
      ))}
      <Counts states={states} />
      <div class="bar">
        {run !== null && canResume && (
          <Press class="main" onPress={() => ask('resume', { run })}>
            Go on
          </Press>
        )}
        {run !== null && <Download wanted={{ what: 'results', run }} label="Download results" />}
        {run !== null && <Download wanted={{ what: 'wrong', run }} label="Only the wrong rows" />}
        {inDoubt > 0 && <Press onPress={() => show('runs')}>Settle {rows(inDoubt)} in doubt</Press>}
        <Press onPress={() => ask('back', {})}>Back to the file</Press>
      </div>
    </section>
  );
}
