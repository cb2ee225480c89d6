import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A write, as it reached the service. */
interface SeenWrite {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What happens to a request: it is forwarded, or the request or its response is lost. */
export type Fate = 'passed' | 'lost' | 'unanswered';

/** A proxy in front of a service that counts writes. */
export interface CountingGateway extends AsyncDisposable {
  readonly origin: string;
  /** In order of arrival. */
  readonly writes: readonly SeenWrite[];
  /** Resolves when the service has answered all requests so far, also those of clients that were killed. */
  settle(): Promise<unknown>;
}

export interface GatewayOptions {
  /** Whether to act like a service without idempotency keys. */
  readonly hidesKeys?: boolean;
  /** Whether to act like a service without dry runs, and so without newer endpoints. */
  readonly hidesDryRun?: boolean;
  /** Decides on every request, given the number of writes so far, including this one. */
  readonly fateOf?: ((method: string, writes: number) => Fate | Promise<Fate>) | undefined;
}

export async function openCountingGateway(
  origin: string,
  { hidesKeys = false, hidesDryRun = false, fateOf = () => 'passed' }: GatewayOptions = {},
): Promise<CountingGateway> {
  const writes: SeenWrite[] = [];
  const agent = new Agent({ keepAlive: true });
  const passing = new Set<Promise<void>>();
  const server = createServer((incoming, answer) => {
    const passed = pass(incoming, answer)
      .catch(() => void answer.destroy())
      .finally(() => passing.delete(passed));
    passing.add(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    settle: () => Promise.all(passing),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const body = await readAll(incoming);
    if (method !== 'GET') writes.push({ method, path: url, body });
    const fate = await fateOf(method, writes.length);
    if (fate === 'lost') return void answer.destroy();
    const { 'idempotency-key': key, ...headers } = incoming.headers;
    const sent = hidesKeys || key === undefined ? headers : { ...headers, 'idempotency-key': key };
    const outgoing = request(`${origin}${url}`, {
      method,
      agent,
      headers: { ...sent, host: new URL(origin).host },
    });
    outgoing.end(body, 'latin1');
    const [answered] = (await once(outgoing, 'response')) as [IncomingMessage];
    const text = await readAll(answered);
    if (fate === 'unanswered') return void answer.destroy();
    const { 'idempotent-replayed': _replayed, 'salon-idempotency-keys': _kept, ...plain } = answered.headers;
    const { 'salon-dry-run': dryRun, 'salon-batch': batch, ...shown } = hidesKeys ? plain : answered.headers;
    if (!hidesDryRun && dryRun !== undefined) shown['salon-dry-run'] = dryRun;
    if (!hidesDryRun && !hidesKeys && batch !== undefined) shown['salon-batch'] = batch;
    answer.writeHead(answered.statusCode ?? 500, shown).end(text, 'latin1');
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}
