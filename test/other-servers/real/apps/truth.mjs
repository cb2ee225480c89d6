import { createServer } from 'node:http';

/**
 * Serves `handle` on loopback, and beside it the records themselves at /_truth: the tests read and replace them there.
 */
export function serve(handle, { read, replace }) {
  const server = createServer(async (request, response) => {
    if (request.url !== '/_truth') return handle(request, response);
    try {
      if (request.method === 'PUT') await replace(JSON.parse(await readText(request)));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(await read()));
    } catch (error) {
      response.writeHead(500).end(String(error?.stack));
    }
  });
  server.listen(Number(process.argv[2]), '127.0.0.1');
}

async function readText(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
