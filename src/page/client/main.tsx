/** The page begins here. */
import { render } from 'preact';
import { begin } from './api.ts';
import { App } from './app.tsx';

const place = document.getElementById('page');
if (place !== null) {
  const mayBegin = await begin();
  render(mayBegin ? <App /> : <Closed />, place);
}

function Closed() {
  return (
    <main class="closed">
      <h1>Dealsheet</h1>
      <p>This page was opened already, or has ended. Run dealsheet open again.</p>
    </main>
  );
}
