import type { Appointment } from '../../contract/appointment.ts';
import type { Payment } from '../../contract/payment.ts';
import type { Writer } from '../db/engine.ts';
import { readRecordsOfClient, updateRecords } from '../db/records.ts';
import { recordAudit } from './audit.ts';
import type { Context } from './context.ts';
import { findPersonal } from './personal-fields.ts';
import { nextUpdatedAt } from './records.ts';

const resources = { appointments: 'appointment', payments: 'payment' } as const;

/**
 * Clears notes, cancellation reasons and references in the appointments and payments of a client, without events.
 * Returns the IDs of all of them.
 */
export async function eraseRecords(tx: Writer, context: Context, clientId: string): Promise<Set<string>> {
  const appointments = await eraseCollection(tx, context, { collection: 'appointments', clientId });
  const payments = await eraseCollection(tx, context, { collection: 'payments', clientId });
  return new Set([...appointments, ...payments]);
}

async function eraseCollection(
  tx: Writer,
  context: Context,
  { collection, clientId }: { collection: 'appointments' | 'payments'; clientId: string },
): Promise<string[]> {
  const { caller, environment } = context;
  const accountId = caller.account.id;
  const resource = resources[collection];
  const texts = await readRecordsOfClient(tx, collection, { accountId, clientId });
  const records = texts.map((text): Appointment | Payment => JSON.parse(text));
  const changes = records.flatMap((record) => {
    const cleared = findPersonal(resource, record);
    if (Object.keys(cleared).length === 0) return [];
    const updated_at = nextUpdatedAt(record, environment.now());
    return [{ former: record, cleared, changed: { ...record, ...cleared, updated_at } }];
  });
  const rows = changes.map(({ changed }) => ({
    account_id: accountId,
    id: changed.id,
    updated_ms: Date.parse(changed.updated_at),
    record: JSON.stringify(changed),
  }));
  await updateRecords(tx, collection, rows);
  for (const { former, cleared, changed } of changes) {
    // Without the texts: their entries have just been erased.
    const act = { action: `${resource}.erased`, id: changed.id } as const;
    await recordAudit(tx, context, {
      ...act,
      former: { client_id: clientId, updated_at: former.updated_at },
      object: { client_id: clientId, updated_at: changed.updated_at, ...cleared },
    });
  }
  return records.map(({ id }) => id);
}
