import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemCodeOf } from '../../../bulk/jobs/file-access.ts';
import { SalonError } from '../../../contract/errors.ts';
import {
  parseServiceConfig,
  type ServiceConfig,
  type ServiceFlags,
  serviceSettings,
} from '../../../service/config.ts';
import type { SettingDefinition } from '../../../settings.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { type Io, write } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { findDatabase, onDatabase } from './database.ts';

export function registerStart(parent: Command, runner: ActionRunner): void {
  runner.define(parent.command('start'), {
    description: 'Run the service until Ctrl-C or SIGTERM',
    settings: Object.values<SettingDefinition>({
      ...serviceSettings,
      database: onDatabase.settings[0],
    }).filter(({ flag }) => flag !== undefined),
    examples: {
      'salon server start': "Run the profile's embedded salon; its settings: http://localhost:8080",
      'salon server start --database sqlite:salon.db': 'Run it on http://127.0.0.1:8080',
      'salon server start --database sqlite:salon.db --host 0.0.0.0':
        'Accept connections from other machines',
    },
    changes: 'this machine',
    handler: async () => startService,
  });
}

/** The first signal stops the service gracefully, which is a success. */
const startService: Handler<ServiceFlags> = async (context) => {
  const { openService } = await import('../../../service/service.ts');
  const { flags, io } = context;
  const config = parseServiceConfig({ ...flags, database: await findDatabase(context) }, io.env);
  const { workers: count, logFile } = config;
  using log = logFile === undefined ? undefined : openLogFile(resolve(io.cwd, logFile));
  using _ = reopenOnHangup(log, io);
  using link =
    count === undefined ? undefined : (await import('../../../service/workers/primary.ts')).joinPrimary();
  if (count !== undefined && link === undefined) return runPrimary(context, { config, count, log });
  // Without workers there is nothing to restart one by one.
  using __ = io.onRestart(() => {});
  const { now, random, env, tzVersion } = io;
  await using service = await openService(config, { now, random, env, tzVersion, log: log ?? io.stderr });
  if (link === undefined) await write(io.stdout, `${service.origin}\n`);
  else link.announce(service.origin);
  const order = await Promise.race([untilAborted(io.signal), ...(link === undefined ? [] : [link.ordered])]);
  if (order === 'drain') await service.drain();
  return { show: 'nothing' };
};

/** Runs workers until the first signal. This process opens neither the database nor the port. */
async function runPrimary(
  { io }: CommandContext<ServiceFlags>,
  { config, count, log }: { config: ServiceConfig; count: number; log: LogFile | undefined },
): Promise<CommandResult> {
  const { FailedStart, openPrimary } = await import('../../../service/workers/primary.ts');
  const { metricsAddress, metricsToken } = config;
  if (metricsToken !== undefined) {
    throw new SalonError('usage', `${serviceSettings.metricsToken.variable} cannot be used with --workers.`, {
      hint: 'Each worker would show only its own counts. Use --metrics, which adds them up.',
    });
  }
  try {
    const primary = await openPrimary({ count, metricsAddress, log: log ?? io.stderr, now: io.now });
    using _ = io.onRestart(() => void primary.restart());
    using __ = reopenOnHangup(log, io, () => primary.signal('SIGHUP'));
    await write(io.stdout, `${primary.origin}\n`);
    await untilAborted(io.signal);
    await primary.close();
    return { show: 'nothing' };
  } catch (error) {
    // The worker has said why.
    if (error instanceof FailedStart) return { show: 'nothing', exitCode: error.exitCode };
    throw error;
  }
}

async function untilAborted(signal: AbortSignal): Promise<'stop'> {
  if (!signal.aborted) await once(signal, 'abort');
  return 'stop';
}

/** SIGHUP means that a log was rotated, or that a terminal was closed. Only one that shows the log ends the service. */
function reopenOnHangup(log: LogFile | undefined, io: Io, pass = () => {}): Disposable | undefined {
  if (io.terminal.messages) return undefined;
  return io.onHangup(() => {
    log?.reopen();
    pass();
  });
}

type LogFile = ReturnType<typeof openLogFile>;

/** Opens a log, or creates it for its owner alone. Throws `usage`. */
function openLogFile(file: string) {
  let handle = open(file);
  return {
    /** A line that cannot be written, as on a full disk, is lost. */
    write(line: string) {
      try {
        writeSync(handle, line);
      } catch {
        // The service outlives a full disk.
      }
    },
    /** Reopens the file by its name after log rotation; keeps the old one if that fails. */
    reopen() {
      try {
        const next = open(file);
        closeSync(handle);
        handle = next;
      } catch {
        // Writing to the renamed file loses no line.
      }
    },
    [Symbol.dispose]() {
      closeSync(handle);
      // The number may soon belong to another file.
      handle = -1;
    },
  };
}

function open(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (cause) {
    const code = systemCodeOf(cause) ?? 'unknown error';
    throw new SalonError('usage', `Cannot write the log ${file} (${code}).`, {
      hint: 'Create its folder, and let the user of the service write there.',
      cause,
    });
  }
}
