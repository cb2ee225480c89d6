import { once } from 'node:events';
import { type Command, Option } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { write } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, type DatabaseFlags, toExisting } from './administer.ts';

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'];

interface Flags extends DatabaseFlags {
  readonly port: string;
  readonly host: string;
  readonly publicUrl?: string;
  readonly logLevel: string;
}

export function registerServiceStart(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('start')
    .description('Run the service until it is told to stop (Ctrl-C or SIGTERM)')
    .option('--port <n>', 'port to listen on; 0 for any', '8080')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'the address callers see, behind a proxy')
    .addOption(
      new Option('--log-level <level>', 'what it logs, on standard error').choices(logLevels).default('info'),
    );
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service start --port 8080 --database sqlite:salon.db', 'prints its address when it is ready'],
  ]);
  command.action(runner.action(startService));
}

/** Stops gracefully at the first signal, which is the way to end it and so a success. */
async function startService({ flags, io }: CommandContext<Flags>): Promise<CommandResult> {
  const [{ openService }, { parseServiceConfig }] = await Promise.all([
    import('../../../service/service.ts'),
    import('../../../service/config.ts'),
  ]);
  const { port, host, publicUrl, logLevel } = flags;
  const database = toExisting(flags, io);
  const config = parseServiceConfig({ database, port, host, publicUrl, logLevel });
  await using service = await openService(config, { now: io.now, random: io.random, log: io.stderr });
  await write(io.stdout, `${service.origin}\n`);
  if (!io.signal.aborted) await once(io.signal, 'abort');
  return { show: 'nothing' };
}
