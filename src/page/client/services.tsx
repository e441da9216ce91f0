/** Services that can be chosen, a new one with its token, and the balances of the one that is chosen. */
import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Download, Field, Form, type ViewParts } from './parts.tsx';

const nothing = { name: '', address: '', token: '' };

export function Services({ state }: ViewParts) {
  const [told, setTold] = useState('');
  const [given, setGiven] = useState(nothing);
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onText: (text: string) => setGiven((before) => ({ ...before, [name]: text })),
  });
  const keep = async () => {
    setTold(await ask('addService', given));
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
        <Field label="Address" required placeholder="https://" {...field('address')} />
        <Field label="Token" required isSecret {...field('token')} />
        <button type="submit">Keep</button>
      </Form>
      <p role="status">{told}</p>
    </section>
  );
}

export function Balances({ state }: ViewParts) {
  const service = state.services.find(({ key }) => key === state.service);
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">Balances</h2>
      <p>
        The balance of every loan, as a workbook. It also shows what changed since the last month that you brought here.
      </p>
      <Download wanted={{ what: 'balances' }} label={`Bring the balances of ${service?.name}`} />
    </section>
  );
}
