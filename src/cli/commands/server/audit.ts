import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import { cleanText } from '../../../text/clean-text.ts';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseCount } from '../../flags/values.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { accountFlag, administer, onDatabase } from './database.ts';

const verifyFlags = {
  expect: {
    type: 'list',
    flag: '--expect <head>',
    help: 'A head from an earlier check that must still exist; repeatable',
    parse: (text: string) => text.split(/\s+/).filter(Boolean).map(parseHead),
  },
} as const satisfies FlagTable;

const retentionFlags = {
  days: { flag: '--days <n>', help: 'Delete entries after this many days, 30 to 3650', parse: parseCount },
  ...accountFlag,
} as const satisfies FlagTable;

export function registerServiceAudit(service: Command, runner: ActionRunner): void {
  const parent = service
    .command('audit')
    .description('Verify audit logs and set their retention')
    .helpCommand(false);
  runner.define(parent.command('verify'), {
    description: 'Check audit logs for tampering (exit code 1 if found)',
    flags: verifyFlags,
    ...onDatabase,
    examples: {
      'salon server audit verify --database sqlite:salon.db': 'Check the logs of all accounts',
      'salon server audit verify --database sqlite:salon.db --json | jq -r .[].head':
        'Print the heads to store elsewhere …',
      'salon server audit verify --database sqlite:salon.db --expect 120:"$HASH"':
        '… and detect a truncated or rewritten log',
    },
    handler: async () => verify,
  });
  runner.define(parent.command('retention'), {
    description: 'Show or set how long an account keeps its audit log',
    flags: retentionFlags,
    ...onDatabase,
    examples: {
      'salon server audit retention --database sqlite:salon.db': 'Show the retention',
      'salon server audit retention --days 730 --database sqlite:salon.db': 'Keep entries for two years',
      'salon server audit retention --database sqlite:salon.db --json | jq .kept_days':
        'Print only the number of days',
    },
    changes: 'the salon',
    handler: async () => keep,
  });
}

const summary = columnSet({
  ...{ account_id: 'text', status: 'status', entries: 'integer', erased: 'integer', pruned: 'integer' },
  head: 'text',
});

const verify: Handler<FlagValues<typeof verifyFlags>> = async (context) => {
  const { flags } = context;
  const trusted = (flags.expect ?? []).flat();
  const found = await administer(context, (administration) => administration.verifyAuditLog(trusted));
  const isIntact = found.missingHeads.length === 0 && found.chains.every(({ faults }) => faults.length === 0);
  const rows = found.chains.map((chain) => ({
    ...chain,
    status: chain.faults.length > 0 ? 'changed' : 'intact',
  }));
  reportFaults(context, found);
  return {
    show: 'records',
    noun: 'audit logs',
    // People read about the faults in the warnings.
    columns: { ...summary, all: [...summary.all, { key: 'faults', kind: 'list' }] },
    pages: onePage(rows),
    exitCode: isIntact ? exitCodes.done.code : exitCodes.refused.code,
  };
};

function reportFaults(
  { messages }: CommandContext,
  { chains, missingHeads }: Awaited<ReturnType<Administration['verifyAuditLog']>>,
): void {
  for (const { account_id: id, faults } of chains) {
    for (const { seq, problem } of faults) messages.warn(cleanText(`${id}, entry ${seq}: ${problem}`));
  }
  for (const { seq, hash } of missingHeads) {
    messages.warn(`No log has the expected head ${seq}:${hash}: a log was truncated or rewritten.`);
  }
}

/** A head, as `verify` prints it. */
function parseHead(text: string): { seq: number; hash: string } {
  const [, seq, hash = ''] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (seq !== undefined) return { seq: Number(seq), hash };
  throw new SalonError('usage', `"${text}" is not the head of an audit log.`, {
    hint: 'Use one that "salon server audit verify" printed, such as 120:qL0….',
  });
}

const keep: Handler<FlagValues<typeof retentionFlags>> = async (context) => {
  const { account, days } = context.flags;
  const record = await administer(context, async (service) => {
    const operator = await service.inAccount(account);
    const { id } = operator.caller.account;
    if (days !== undefined) await service.setAuditRetention(operator, days);
    return { account_id: id, kept_days: await service.readAuditRetention(operator.database.reader, id) };
  });
  const message = `The audit log is kept for ${countOf(record.kept_days, 'days')}.`;
  return { show: 'record', record, message };
};
