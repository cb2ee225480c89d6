import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver that responds at once, in its own process.
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
