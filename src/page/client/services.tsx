/** Services that can be chosen, a new one with its token, and the balances of the one that is chosen. */
import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Download } from './load-view.tsx';
import type { ViewParts } from './parts.tsx';

export function Services({ state, attempt }: ViewParts) {
  const [told, setTold] = useState('');
  const [given, setGiven] = useState({ name: '', address: '', token: '' });
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven((before) => ({ ...before, [name]: currentTarget.value })),
  });
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
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(async () => {
            setTold((await ask('addService', given)).told);
            setGiven({ name: '', address: '', token: '' });
          });
        }}
      >
        <label>
          <span>Name</span>
          <input {...field('name')} placeholder="live" />
        </label>
        <label>
          <span>Address</span>
          <input {...field('address')} required placeholder="https://" inputMode="url" />
        </label>
        <label>
          <span>Token</span>
          <input {...field('token')} required type="password" autoComplete="off" />
        </label>
        <button type="submit">Keep</button>
      </form>
      <p role="status">{told}</p>
    </section>
  );
}

export function Balances({ state, attempt }: ViewParts) {
  const [notices, setNotices] = useState<readonly string[]>([]);
  const service = state.services.find(({ key }) => key === state.service);
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">Balances</h2>
      <p>
        The balance of every loan, as a workbook. It also shows what changed since the last month that you brought here.
      </p>
      <Download
        wanted={{ what: 'balances' }}
        attempt={attempt}
        label={`Bring the balances of ${service?.name}`}
        onNotices={(told) => setNotices(['The workbook is in your downloads.', ...told])}
      />
      <div role="status">
        {notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
      </div>
    </section>
  );
}
