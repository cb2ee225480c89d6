import type { Command } from 'commander';
import { parseDurationMs } from '../../../settings.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { printFlags } from '../../flags/options.ts';
import { parseWords } from '../../flags/values.ts';

const syncFlags = {
  only: {
    flag: '--only <a,b>',
    help: 'Only these tables, e.g. appointments,stylists',
    parse: async (text: string, flag: string) =>
      parseWords(text, flag, { one: 'table', all: await listTables() }),
    complete: listTables,
  },
  verify: { flag: '--verify', help: 'Only compare it with the service; exit code 3 if it differs' },
  follow: { flag: '--follow', help: 'Go on, and apply changes as they happen' },
} as const satisfies FlagTable;

async function listTables() {
  return (await import('../../copy/copy-layout.ts')).copyTableNames;
}

export function registerSync(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '<file>': 'SQLite file, which is created if it is not there' },
    flags: syncFlags,
    examples: {
      'salon sync copy.db': 'Make a copy, or bring it up to date',
      'salon sync copy.db --only appointments,stylists': 'Without clients and payments',
      'salon sync copy.db --follow': 'Keep it up to date until Ctrl+C',
      'salon sync copy.db --verify': 'Compare each row with the service',
    },
    changes: 'this machine',
    handler: async () => sync,
  });
}

const sync: Handler<FlagValues<typeof syncFlags>, [file: string]> = async (context, file) => {
  if (context.flags.verify) return (await import('../../copy/verify-copy.ts')).verifyCopy(context, file);
  return (await import('../../copy/sync-copy.ts')).syncCopy(context, file);
};

const sqlFlags = {
  attach: { flag: '--attach <file>', help: 'A second copy; its tables are other.clients and so on' },
  maxTime: {
    flag: '--max-time <time>',
    help: 'End a query that takes longer',
    default: '60s',
    parse: parseDurationMs,
  },
  ...printFlags,
} as const satisfies FlagTable;

export function registerSql(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '<file-or-query>': 'File of "salon sync"; without one, the last copy of the salon',
      '[query]': 'One SELECT statement of SQLite; docs/sql.md has tables and views',
    },
    flags: sqlFlags,
    examples: {
      'salon sql "select * from appointments_view order by start_time"': 'Query the last copy',
      'salon sql copy.db "select * from payments_view" -o payments.xlsx': 'Write a sheet',
    },
    handler: async (
      start,
    ): Promise<Handler<FlagValues<typeof sqlFlags>, [first: string, second?: string]>> => {
      const { startQuery } = await import('../../copy/run-query.ts');
      return startQuery(start);
    },
  });
}
