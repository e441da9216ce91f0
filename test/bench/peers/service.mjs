/** A plain service on loopback that takes every deal at once: what is measured is the client. Tells its address on its first line. */
import { createServer } from 'node:http';

const latencyMs = Number(process.argv[2] ?? 0);
let deals = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (latencyMs === 0) answer(response);
    else setTimeout(answer, latencyMs, response);
  });
});

function answer(response) {
  deals += 1;
  const id = `deal_${deals}`;
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(`{"success":true,"id":"${id}","company":{"id":"cmp_${deals}"},"url":"http://127.0.0.1/deals/${id}"}`);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
