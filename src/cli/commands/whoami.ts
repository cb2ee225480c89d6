import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner, Handler } from '../action-runner.ts';
import type { FlagTable, FlagValues } from '../flags/flag.ts';
import { printFlags } from '../flags/options.ts';
import { columnSet } from '../output/columns.ts';
import { findSavedAccount } from '../session/session.ts';

const whoamiFlags = {
  check: { flag: '--check', help: 'Ask the service, not the saved profile' },
  ...printFlags,
} as const satisfies FlagTable;

export function registerWhoami(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: whoamiFlags,
    examples: {
      'salon whoami': 'Show the saved profile',
      'salon whoami --check --json': 'Ask the service, in a script',
    },
    handler: async () => whoami,
  });
}

const whoami: Handler<FlagValues<typeof whoamiFlags>> = async (context) => {
  const session = await context.session();
  const { profileName, settings } = session;
  const { variable } = settings.credential ?? {};
  if (variable !== undefined && !context.flags.check) {
    context.messages.info(`The key comes from ${variable}. To ask for its account: salon whoami --check`);
  }
  const ask = async () => (await import('../session/account.ts')).readAccount(await context.client());
  const account = context.flags.check ? await ask() : findSavedAccount(session);
  return {
    show: 'record',
    record: {
      profile: profileName ?? null,
      base_url: settings.baseUrl?.value ?? null,
      account: account?.name ?? null,
      account_id: account?.id ?? null,
      plan: account?.plan ?? null,
      role: account?.role ?? null,
      signed_in: settings.credential !== undefined,
      protected: settings.protected.value,
      read_only: settings.readOnly.value,
      checked: context.flags.check === true,
    },
  };
};

const columns = columnSet({ plan: 'text', limit: 'integer', remaining: 'integer', resets_at: 'instant' });

const limitFlags = {
  byKey: { flag: '--by-key', help: 'Requests of each API key and app this hour' },
  ...printFlags,
} as const satisfies FlagTable;

export function registerLimits(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: limitFlags,
    examples: {
      'salon limits': 'Show the limit; costs one request',
      'salon limits --json | jq .remaining': 'Check before a large export',
      'salon limits --by-key': 'See what uses the limit up, also when it is used up',
    },
    handler: async () => readLimits,
  });
}

const readLimits: Handler<FlagValues<typeof limitFlags>> = async (context) => {
  if (context.flags.byKey) return (await import('./key-usage.ts')).showKeyUsage(context);
  const { readAccount } = await import('../session/account.ts');
  const client = await context.client();
  const account = await readAccount(client).catch((error: unknown) => {
    // The refusal itself carries the limit.
    if (error instanceof SalonError && error.code === 'rate_limited' && client.limits()) return undefined;
    throw error;
  });
  const limits = client.limits();
  if (limits === undefined) {
    throw new SalonError('not_supported', 'This server reports no rate limit.', {
      hint: 'Plans of the salon service: Pro 5,000, Enterprise 20,000 requests per hour.',
    });
  }
  const { limit, remaining, resetAtMs } = limits;
  return {
    show: 'record',
    record: {
      plan: account?.plan ?? null,
      limit: limit ?? null,
      remaining: remaining ?? null,
      resets_at: resetAtMs === undefined ? null : new Date(resetAtMs).toISOString(),
    },
    columns,
  };
};
