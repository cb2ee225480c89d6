import { once } from 'node:events';
import { type Command, Option } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { joinLists } from '../../flags/options.ts';
import { write } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerAccountCreate } from './accounts.ts';
import { registerServiceAudit } from './audit.ts';
import { registerServiceBackup, registerServiceRestore } from './backup.ts';
import { registerServiceCheck } from './check.ts';
import {
  addDatabaseOption,
  type DatabaseFlags,
  findDatabase,
  registerServiceCompact,
  registerServiceSeed,
} from './database.ts';
import { registerServiceKeys } from './keys.ts';
import { registerSecrets } from './secrets.ts';
import { registerUsers } from './users.ts';

export function registerService(service: Command, runner: ActionRunner): void {
  registerStart(service, runner);
  registerServiceSeed(service, runner);
  registerServiceBackup(service, runner);
  registerServiceRestore(service, runner);
  registerServiceCheck(service, runner);
  registerServiceCompact(service, runner);
  const account = service.command('account').description('Manage accounts').helpCommand(false);
  registerAccountCreate(account, runner);
  registerServiceKeys(service.command('key').description('Manage API keys').helpCommand(false), runner);
  registerUsers(service, runner);
  registerSecrets(service, runner);
  registerServiceAudit(service, runner);
}

interface StartFlags extends DatabaseFlags {
  readonly port: string;
  readonly host: string;
  readonly publicUrl?: string;
  readonly trustedProxies?: string;
  readonly logLevel: string;
}

function registerStart(parent: Command, runner: ActionRunner): void {
  const logLevels = ['silent', 'error', 'warn', 'info', 'debug'];
  const command = parent
    .command('start')
    .description('Run the service until Ctrl-C or SIGTERM')
    .option('--port <n>', 'Port to listen on; 0 picks a free one', '8080')
    .option('--host <address>', 'Address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'Public URL, if behind a proxy')
    .option('--trusted-proxies <a,b>', 'Proxies whose X-Forwarded-For to trust, e.g. loopback', joinLists)
    .addOption(new Option('--log-level <level>', 'Log level').choices(logLevels).default('info'));
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service start', "Run the profile's embedded salon; its settings: http://localhost:8080"],
    ['salon service start --database sqlite:salon.db', 'Run it on http://127.0.0.1:8080'],
    [
      'salon service start --database sqlite:salon.db --host 0.0.0.0',
      'Accept connections from other machines',
    ],
  ]);
  command.action(runner.action(startService));
}

/** The first signal stops the service gracefully, which is a success. */
async function startService(context: CommandContext<StartFlags>): Promise<CommandResult> {
  const [{ openService }, { parseServiceConfig }] = await Promise.all([
    import('../../../service/service.ts'),
    import('../../../service/config.ts'),
  ]);
  const { flags, io } = context;
  const { port, host, publicUrl, trustedProxies, logLevel } = flags;
  const database = await findDatabase(context);
  const mail = { smtpUrl: io.env['SALON_SMTP_URL'], mailFrom: io.env['SALON_MAIL_FROM'] };
  const config = parseServiceConfig({ database, port, host, publicUrl, trustedProxies, logLevel, ...mail });
  await using service = await openService(config, {
    now: io.now,
    random: io.random,
    log: io.stderr,
    env: io.env,
  });
  await write(io.stdout, `${service.origin}\n`);
  if (!io.signal.aborted) await once(io.signal, 'abort');
  return { show: 'nothing' };
}
