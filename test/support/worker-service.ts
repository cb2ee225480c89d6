import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type Home, runHere, startSalon } from './salon-process.ts';
import { until } from './until.ts';

interface LogLine {
  readonly msg: string;
  readonly worker?: number;
}

// On PostgreSQL no key file lies beside the database.
const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };

/** A service with workers, and its log so far. */
export async function startWorkers(home: Home, database: string) {
  const account = ['account', 'create', '--name', 'A', '--limit', '100000000', '--database', database];
  await runHere(['service', ...account], { home, env });
  const options = ['--role', 'owner', '--name', 'k', '--json', '--database', database];
  const { key } = JSON.parse((await runHere(['server', 'keys', 'create', ...options], { home, env })).stdout);
  const argv = ['server', 'start', '--workers', '2', '--port', '0', '--database', database];
  const child = startSalon(argv, { home, env });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const find = (msg: string): LogLine[] =>
    log
      .split('\n')
      .filter((text) => text.startsWith('{') && text.endsWith('}'))
      .map((text): LogLine => JSON.parse(text))
      .filter((entry) => entry.msg === msg);
  // The log arrives on another stream than the address.
  await until(() => find('worker started').length === 2);
  return { child, ended, key: String(key), origin: String(line).trim(), find };
}

/** Sends requests on one connection, which is opened again when the service ends it, until it is stopped. */
export async function keepAsking(origin: string, key: string, signal: AbortSignal) {
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }));
  const outcomes: Record<string, number> = {};
  for (let count = 0; !signal.aborted; count += 1) {
    const outcome = await ask(agent.value, origin, { key, isWrite: count % 3 === 0 });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

export function disposable(value: Agent) {
  return { value, [Symbol.dispose]: () => value.destroy() };
}

export function ask(agent: Agent, origin: string, { key, isWrite }: { key: string; isWrite: boolean }) {
  return new Promise<string>((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(
      `${origin}/v1/clients`,
      { agent, headers, method: isWrite ? 'POST' : 'GET' },
      (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
      },
    );
    sent.on('error', (error) => resolve(String('code' in error ? error.code : error)));
    sent.end(isWrite ? '{"first_name":"Ana"}' : undefined);
  });
}
