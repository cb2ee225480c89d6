import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver that answers at once, in a process of its own.
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
