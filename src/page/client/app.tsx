/** The frame of the page: what is open, for which service, and what there is to look at. */
import { useEffect, useState } from 'preact/hooks';
import type { Fault, PageState } from '../protocol.ts';
import { ask, faultOf, watch } from './api.ts';
import { FileView } from './file-view.tsx';
import { type Tab, Told, type Try, tabs } from './parts.tsx';
import { Runs } from './runs.tsx';
import { Balances, Services } from './services.tsx';

export function App() {
  const [state, setState] = useState<PageState | null>(null);
  const [gone, setGone] = useState<Fault | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [tab, setTab] = useState<Tab>('file');
  useEffect(() => void watch(setState, setGone), []);
  const attempt: Try = async (work) => {
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  if (state === null) return <main class="closed">{gone === null ? <p>Opening …</p> : <Told fault={gone} />}</main>;
  const service = state.services.find(({ key }) => key === state.service);
  const isRehearsal = service?.isRehearsal !== false;
  const isBusy = state.phase === 'loading' || state.phase === 'reading';
  return (
    <div class={isRehearsal ? 'app rehearsal' : 'app real'}>
      <header>
        <h1>Dealsheet</h1>
        <label class="service">
          <span>Service</span>
          <select
            value={state.service ?? ''}
            disabled={isBusy}
            onChange={({ currentTarget }) => attempt(() => ask('choose', { service: currentTarget.value }))}
          >
            {state.services.map(({ key, name, address }) => (
              <option key={key} value={key}>
                {name}
                {address === null ? '' : ` (${address})`}
              </option>
            ))}
          </select>
        </label>
        <p class="mode">{isRehearsal ? 'Rehearsal: nothing leaves this computer.' : `Real: ${service?.address}`}</p>
        <nav aria-label="Views">
          {(Object.keys(tabs) as Tab[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === tab ? 'page' : undefined}
              onClick={() => setTab(name)}
            >
              {tabs[name]}
            </button>
          ))}
        </nav>
      </header>
      <main>
        {gone !== null && <Told fault={gone} />}
        {fault !== null && <Told fault={fault} onClose={() => setFault(null)} />}
        {tab === 'file' && <FileView state={state} attempt={attempt} isRehearsal={isRehearsal} show={setTab} />}
        {tab === 'runs' && <Runs state={state} attempt={attempt} show={setTab} />}
        {tab === 'balances' && <Balances state={state} attempt={attempt} />}
        {tab === 'services' && <Services state={state} attempt={attempt} />}
      </main>
    </div>
  );
}
