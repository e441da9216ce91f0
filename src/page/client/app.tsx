/** The page: what is open, for which service, and what there is to look at. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Fault, PageState } from '../protocol.ts';
import { ask, attempt, begin, onFault, watch } from './api.ts';
import { FileView } from './file-view.tsx';
import { Press, type Tab, Told, tabs } from './parts.tsx';
import { Runs } from './runs.tsx';
import { Balances, Services } from './services.tsx';

function App() {
  const [state, setState] = useState<PageState | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [tab, setTab] = useState<Tab>('file');
  useEffect(() => {
    onFault(setFault);
    void attempt(() => watch(setState));
  }, []);
  if (state === null) return <main class="closed">{fault === null ? <p>Opening …</p> : <Told fault={fault} />}</main>;
  const { service, services, phase } = state;
  const address = services.find(({ key }) => key === service)?.address ?? null;
  const parts = { state, show: setTab };
  return (
    <div class={address === null ? 'app rehearsal' : 'app real'}>
      <header>
        <h1>Dealsheet</h1>
        <label class="service">
          <span>Service</span>
          <select
            value={service}
            disabled={phase === 'loading' || phase === 'reading'}
            onChange={({ currentTarget }) => attempt(() => ask('choose', { service: currentTarget.value }))}
          >
            {services.map((one) => (
              <option key={one.key} value={one.key}>
                {one.name}
                {one.address === null ? '' : ` (${one.address})`}
              </option>
            ))}
          </select>
        </label>
        <p class="mode">{address === null ? 'Rehearsal: nothing leaves this computer.' : `Real: ${address}`}</p>
        <nav aria-label="Views">
          {(Object.keys(tabs) as Tab[]).map((name) => (
            <Press key={name} aria-current={name === tab ? 'page' : undefined} onPress={() => setTab(name)}>
              {tabs[name]}
            </Press>
          ))}
        </nav>
      </header>
      <main>
        {fault !== null && <Told fault={fault} onClose={() => setFault(null)} />}
        {tab === 'file' && <FileView {...parts} />}
        {tab === 'runs' && <Runs {...parts} />}
        {tab === 'balances' && <Balances {...parts} />}
        {tab === 'services' && <Services {...parts} />}
      </main>
    </div>
  );
}

function Closed() {
  return (
    <main class="closed">
      <h1>Dealsheet</h1>
      <p>This page was opened already, or has ended. Run dealsheet open again.</p>
    </main>
  );
}

const place = document.getElementById('page');
if (place !== null) render((await begin()) ? <App /> : <Closed />, place);
