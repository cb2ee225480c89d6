import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { registerAccountCreate, registerSecondFactor, registerUsers } from './accounts.ts';
import { registerServiceAudit } from './audit.ts';
import {
  registerServiceBackup,
  registerServiceCheck,
  registerServiceCopy,
  registerServiceRestore,
} from './backup.ts';
import { registerServiceCompact, registerServiceSeed } from './database.ts';
import { registerServiceKeys } from './keys.ts';
import { registerServiceLogs } from './logs.ts';
import { registerSecrets } from './secrets.ts';
import { registerStart } from './start.ts';

export function registerServer(server: Command, runner: ActionRunner): void {
  registerStart(server, runner);
  registerReady(server, runner);
  registerServiceLogs(server, runner);
  registerServiceSeed(server, runner);
  registerServiceBackup(server, runner);
  registerServiceRestore(server, runner);
  registerServiceCheck(server, runner);
  registerServiceCopy(server, runner);
  registerServiceCompact(server, runner);
  const account = server.command('account').description('Manage accounts').helpCommand(false);
  registerAccountCreate(account, runner);
  registerSecondFactor(account, runner);
  registerServiceKeys(server.command('key').description('Manage API keys').helpCommand(false), runner);
  registerUsers(server, runner);
  registerSecrets(server, runner);
  registerServiceAudit(server, runner);
}

function registerReady(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('ready')
    .argument('[url]', 'address that the service listens on', 'http://127.0.0.1:8080')
    .description('Check that a service is ready for requests, e.g. for a container')
    .addHelpText('after', '\nThe exit code is 0 if it is. No key, profile or proxy is used.');
  runner.add(command, checkReady, {
    'salon server ready': 'Ask the service on this machine',
    'salon server ready http://127.0.0.1:9000': 'Ask it on another port',
  });
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
