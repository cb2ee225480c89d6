import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../src/contract/client.ts';

export interface OnePageServer extends AsyncDisposable {
  readonly origin: string;
  /** A key; it accepts any. */
  readonly key: string;
}

const rows = 50;

/** Serves the same prepared page of clients to every request, so that the time is the caller's. */
export async function openOnePageServer(): Promise<OnePageServer> {
  const data = Array.from({ length: rows }, (_, index) => toClient(index));
  const page = JSON.stringify({ data, pagination: { page: 1, per_page: 200, total: rows } });
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(page),
    });
    response.end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    key: `slk_${'0'.repeat(36)}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function toClient(index: number): Client {
  return {
    id: `cli_${String(index).padStart(26, '0')}`,
    first_name: 'Ana',
    last_name: `Marques ${index}`,
    email: `ana.${index}@example.com`,
    phone: '+351912345678',
    birthday: '1990-04-12',
    notes: null,
    preferred_stylist_id: null,
    tags: ['regular'],
    email_marketing_consent: true,
    sms_marketing_consent: false,
    external_id: null,
    created_at: '2026-01-05T09:00:00Z',
    updated_at: '2026-01-05T09:00:00Z',
  };
}
