/** The page: the open file, the service and all views. Those of services and balances are here. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Fault, PageState } from '../protocol.ts';
import { ask, attempt, begin, onFault, sendFile, watch } from './api.ts';
import { FileView } from './file-view.tsx';
import { Runs } from './loads.tsx';
import { Choice, Download, FaultNote, Field, Form, Press, type Tab, tabs, type ViewParts } from './parts.tsx';

function App() {
  const [state, setState] = useState<PageState | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [[tab, run], setView] = useState<readonly [tab: Tab, run: string | null]>(['file', null]);
  useEffect(() => {
    onFault(setFault);
    void attempt(() => watch(setState));
  }, []);
  const isOver = useDrop((files) => {
    setView(['file', null]);
    void attempt(() => sendFile(files));
  });
  if (state === null)
    return <main class="closed">{fault === null ? <p>Opening …</p> : <FaultNote fault={fault} />}</main>;
  const { service, services, phase, load } = state;
  const address = load === null ? (services.find(({ key }) => key === service)?.address ?? null) : load.address;
  const show = (next: Tab, of: string | null = null) => setView([next, of]);
  const parts = { state, show };
  return (
    <div class={`app ${address === null ? 'rehearsal' : 'real'}${isOver ? ' over' : ''}`}>
      <header>
        <h1>Dealsheet</h1>
        <Choice
          label="Service"
          class="service"
          value={service}
          disabled={phase === 'loading' || phase === 'reading'}
          among={services.map((one) => [one.key, one.address === null ? one.name : `${one.name} (${one.address})`])}
          onPick={(key) => attempt(() => ask('choose', { service: key ?? service }))}
        />
        <p class="mode">{address === null ? 'Rehearsal: nothing leaves this computer.' : `Real: ${address}`}</p>
        <nav aria-label="Views">
          {(Object.keys(tabs) as Tab[]).map((name) => (
            <Press key={name} aria-current={name === tab ? 'page' : undefined} onPress={() => show(name)}>
              {tabs[name]}
            </Press>
          ))}
        </nav>
      </header>
      <main>
        {fault !== null && <FaultNote fault={fault} onClose={() => setFault(null)} />}
        {tab === 'file' && <FileView {...parts} />}
        {tab === 'runs' && <Runs {...parts} run={run} />}
        {tab === 'balances' && <Balances {...parts} />}
        {tab === 'services' && <Services {...parts} />}
      </main>
    </div>
  );
}

/** Accepts files anywhere, because a browser would otherwise navigate to them. @returns whether files are dragged over the page */
function useDrop(take: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setIsOver(event.type === 'dragover');
      if (event.type === 'drop') take(event.dataTransfer.files);
    };
    for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, drag);
  }, []);
  return isOver;
}

const nothing = { name: '', address: '', token: '' };

function Services({ state }: ViewParts) {
  const [notes, setNotes] = useState('');
  const [given, setGiven] = useState(nothing);
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onText: (text: string) => setGiven((before) => ({ ...before, [name]: text })),
  });
  const keep = async () => {
    setNotes(await ask('addService', given));
    setGiven(nothing);
  };
  return (
    <section aria-labelledby="services">
      <h2 id="services">Services</h2>
      <ul>
        {state.services.map(({ key, name, address }) => (
          <li key={key}>
            {name} {address}
          </li>
        ))}
      </ul>
      <h3>Add a service, or renew its token</h3>
      <p>The token is kept in a file that only you can read. This page never shows it again.</p>
      <Form class="stack" onSend={keep}>
        <Field label="Name" placeholder="live" {...field('name')} />
        <Field label="Address (leave it blank to renew only the token)" placeholder="https://" {...field('address')} />
        <Field label="Token" required isSecret {...field('token')} />
        <button type="submit">Save</button>
      </Form>
      <p role="status">{notes}</p>
    </section>
  );
}

function Balances({ state }: ViewParts) {
  const service = state.services.find(({ key }) => key === state.service);
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">Balances</h2>
      <p>
        The balance of every loan, as a workbook. It also shows what has changed since the last month whose balances you
        downloaded here.
      </p>
      <Download wanted={{ what: 'balances' }} label={`Download the balances of ${service?.name}`} />
    </section>
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
