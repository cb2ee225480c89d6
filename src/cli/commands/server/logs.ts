import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { readVariable } from '../../../contract/settings.ts';
import { serviceSettings } from '../../../service/config.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { LogFilter } from './log-lines.ts';

interface LogFlags extends PrintFlags {
  readonly request?: string;
  readonly account?: string;
  readonly key?: string;
  readonly status?: string;
  readonly message?: string;
}

export function registerServiceLogs(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('logs')
    .argument('[files...]', 'log files, plain or gzipped; - for standard input (default: SALON_LOG_FILE)')
    .description('Search the logs of a service')
    .option('--request <id>', 'Lines of a request, e.g. req_01jd…')
    .option('--account <id>', 'Requests of an account')
    .option('--key <id>', 'Requests with an API key')
    .option('--status <status>', 'Responses with a status, e.g. 503 or 5xx')
    .option('--message <text>', 'Lines with this message, e.g. "slow statement"');
  addPrintOptions(command);
  addExamples(command, [
    ['salon server logs /var/log/salon/salon.log --request req_01jd…', 'What happened to a request'],
    ['journalctl -u salon -o cat | salon server logs - --status 5xx', 'Failed requests, from systemd'],
    [
      'salon server logs salon.log salon.log.1.gz --message "slow statement" -c time,ms,sql',
      'Slow statements',
    ],
  ]);
  command.action(runner.action(showLogs));
}

const logColumns = {
  ...columnSet({
    ...{ time: 'instant', level: 'text', msg: 'text', method: 'text', path: 'text', status: 'integer' },
    ...{ ms: 'value', rows: 'integer', account: 'text', key: 'text', user: 'text', app: 'text' },
    ...{ address: 'text', code: 'text', reason: 'text', request_id: 'text', repeated: 'integer' },
    ...{ error: 'text', sql: 'text' },
  }),
  table: ['time', 'msg', 'method', 'path', 'status', 'ms', 'code', 'error', 'key', 'request_id'],
  optional: ['error', 'code', 'key', 'request_id'],
};

async function showLogs(
  { flags, io }: CommandContext<LogFlags>,
  given: readonly string[],
): Promise<CommandResult> {
  const { readLogPages } = await import('./log-lines.ts');
  const named = readVariable(serviceSettings.logFile, io.env);
  const files = given.length === 0 && named ? [named] : given;
  if (files.length === 0) {
    throw new SalonError('usage', 'No log given.', {
      hint: 'Name the file of "salon server start --log-file", or - for standard input.',
    });
  }
  const { request, account, key, message } = flags;
  const filter: LogFilter = {
    ...{ request, account, key, message },
    status: flags.status === undefined ? undefined : parseStatus(flags.status),
  };
  const sources = files.map((file) => (file === '-' ? io.stdin : resolve(io.cwd, file)));
  return {
    show: 'records',
    noun: 'log lines',
    columns: logColumns,
    pages: readLogPages(sources, filter),
  };
}

function parseStatus(text: string): RegExp {
  if (/^[1-5](?:xx|\d\d)$/i.test(text)) return new RegExp(`^${text.replace(/xx$/i, '..')}$`);
  throw new SalonError('usage', `--status needs a status such as 503 or 5xx, not "${text}".`);
}
