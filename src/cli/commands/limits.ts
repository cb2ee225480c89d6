import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import type { Frame } from '../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../flags/options.ts';
import type { Outcome } from '../output/outcome.ts';
import { columnSet } from '../print/columns.ts';

const columns = columnSet({ plan: 'text', limit: 'integer', remaining: 'integer', resets_at: 'instant' });

export function registerLimits(command: Command, frame: Frame): void {
  addPrintOptions(command);
  addExamples(command, [['salon limits --json | jq .remaining', 'before a large export; costs one request']]);
  command.action(frame.action(readLimits));
}

async function readLimits(call: Call<PrintFlags>): Promise<Outcome> {
  const { readAccount } = await import('../session/account.ts');
  const client = await call.client();
  const account = await readAccount(client).catch((error: unknown) => {
    // The refusal itself says how the hour stands.
    if (error instanceof SalonError && error.code === 'rate_limited' && client.limits()) return undefined;
    throw error;
  });
  const limits = client.limits();
  if (limits === undefined) {
    throw new SalonError('endpoint_missing', 'This server says nothing about limits in its answers.', {
      hint: 'The plans of the service: Pro 5,000 and Enterprise 20,000 requests an hour.',
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
}
