import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { registerAccounts, registerUsers } from './accounts.ts';
import { registerServiceAudit } from './audit.ts';
import { registerBackups } from './backup.ts';
import { registerDatabase } from './database.ts';
import { registerServiceKeys } from './keys.ts';
import { registerServiceLogs } from './logs.ts';
import { registerSecrets } from './secrets.ts';
import { registerStart } from './start.ts';

export function registerServer(server: Command, runner: ActionRunner): void {
  registerStart(server, runner);
  runner.define(server.command('ready'), {
    description: 'Check that a service is ready for requests, e.g. for a container',
    args: {
      '[url]': { help: 'address that the service listens on', default: 'http://127.0.0.1:8080' },
    },
    notes: 'The exit code is 0 if it is. No key, profile or proxy is used.',
    examples: {
      'salon server ready': 'Ask the service on this machine',
      'salon server ready http://127.0.0.1:9000': 'Ask it on another port',
    },
    handler: async () => checkReady,
  });
  registerServiceLogs(server, runner);
  registerDatabase(server, runner);
  registerBackups(server, runner);
  registerAccounts(server, runner);
  registerServiceKeys(server, runner);
  registerUsers(server, runner);
  registerSecrets(server, runner);
  registerServiceAudit(server, runner);
}

/** The service itself gives up on its checks after 3 seconds. */
const timeoutMs = 5_000;
const maxResponseBytes = 65_536;

const checkReady: Handler<object, [url: string]> = async ({ io }, url) => {
  const [{ openConnection }, { parseBaseUrl }, { send }, { decodeError }] = await Promise.all([
    import('../../../client/http/http-connection.ts'),
    import('../../../client/http/request-path.ts'),
    import('../../../client/http/send.ts'),
    import('../../../client/http/decode-error.ts'),
  ]);
  const { origin, root } = parseBaseUrl(url);
  const limits = { concurrency: 1, connectTimeoutMs: timeoutMs };
  const connection = openConnection({ origin, ...limits, proxy: undefined });
  try {
    const request = { method: 'GET', origin, path: `${root}/readyz`, headers: {}, body: undefined };
    const response = await send(connection, request, { timeoutMs, maxResponseBytes, signal: io.signal });
    if (response.status !== 200) throw decodeError(response, io.now().getTime());
    return { show: 'record', record: { url, is_ready: true }, message: `${url} is ready.` };
  } finally {
    await connection.close();
  }
};
