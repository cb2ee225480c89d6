import { SalonError } from '../../contract/errors.ts';
import type { EventType } from '../../contract/events.ts';
import { toStorageQuota } from '../../contract/limits.ts';
import { readLogEnds } from '../db/deliveries/log-ends.ts';
import type { Writer } from '../db/engine.ts';
import type { Caller } from './context.ts';

/** Changes that have no event. */
type QuietChange = 'stylist.created' | 'stylist.updated' | 'webhook.created';

/** Existing records can be changed a little longer, so that a salon can finish its day. */
const changesShare = 1.1;

/** What frees a place, in the calendar or in the database, is never refused. */
const neverRefused: readonly string[] = ['booking.cancelled', 'client.deleted', 'webhook.test'];

/** Throws `storage_quota_exceeded` when an account stores too much for a change. */
export function assertStorageQuota(
  { hourlyLimit }: Pick<Caller['account'], 'hourlyLimit'>,
  { type, storedBytes }: { readonly type: EventType | QuietChange; readonly storedBytes: number },
): void {
  const quota = toStorageQuota(hourlyLimit);
  const share = type.endsWith('.created') ? 1 : changesShare;
  if (storedBytes <= quota * share || neverRefused.includes(type)) return;
  const text = `The account stores ${toMebibytes(storedBytes)} of ${toMebibytes(quota)} MiB.`;
  throw new SalonError('storage_quota_exceeded', text, {
    members: { stored_bytes: storedBytes, quota_bytes: quota },
  });
}

/** The same for a change without an event, in its transaction. */
export async function checkStorageQuota(
  tx: Writer,
  { account }: Pick<Caller, 'account'>,
  type: QuietChange,
): Promise<void> {
  const collection = type === 'webhook.created' ? 'webhooks' : 'stylists';
  const { storedBytes } = await readLogEnds(tx, { accountId: account.id, collection });
  assertStorageQuota(account, { type, storedBytes });
}

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}
