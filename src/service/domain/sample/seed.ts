import { SalonError, withContext } from '../../../contract/errors.ts';
import type { Reader, Writer } from '../../db/engine.ts';
import { readSalon, saveSalonSettings } from '../../db/identity/accounts.ts';
import { hasRecord, insertRecords, readLastPositions } from '../../db/records/records.ts';
import { findAccount, type OperatorServices } from '../accounts.ts';
import { recordByOperator } from '../audit.ts';
import { toBatches } from './load-records.ts';
import { toWorkingHours } from './sample-hours.ts';
import { createSampleRecords, type SamplePlan } from './sample-records.ts';
import sample from './sample-salon.json' with { type: 'json' };

export interface SeedOptions extends Omit<SamplePlan, 'last'> {
  /** Optional when the database has one account. */
  readonly accountId?: string | undefined;
  /** Stops between two transactions. */
  readonly signal?: AbortSignal;
}

const savePlan = `insert into database_settings (name, value) values ('sample plan of ' || ?, ?)
  on conflict (name) do nothing`;

/**
 * Adds sample records to an account, in many transactions. After an interruption, the same call adds those that are
 * missing. Returns how many there are then. Throws `usage`, then also for another call, and `not_found`.
 */
export async function seedAccount(
  { database, environment }: OperatorServices,
  { signal, ...options }: SeedOptions,
) {
  const { id: accountId } = await findAccount(database.reader, options.accountId);
  const last = await readLastPositions(database.reader, accountId);
  const plan = (await readSamplePlan(database.reader, accountId)) ?? { ...options, last };
  const { clients, appointments, seed } = plan;
  if (clients !== options.clients || appointments !== options.appointments || seed !== options.seed) {
    throw new SalonError('usage', 'The account has an unfinished set of sample data.', {
      hint: `Finish it first: --clients ${clients} --appointments ${appointments} --seed ${seed}`,
    });
  }
  const counts = { clients: 0, appointments: 0, stylists: 0, payments: 0 };
  for (const { collection, rows } of createSampleRecords(accountId, plan)) {
    // Rows are created outside of transactions, which therefore never wait for that.
    for await (const batch of toBatches(rows)) {
      const adding = database.transaction({ accountId }, async (tx) => {
        if (signal?.aborted) throw new SalonError('interrupted', 'Interrupted.');
        // The same plan has the same batches, each of which is there as a whole or not at all.
        if (await hasRecord(tx, collection, { accountId, id: batch[0]?.id ?? '' })) return;
        await tx.run(savePlan, [accountId, JSON.stringify(plan)]);
        await insertRecords(tx, { accountId, collection }, { count: batch.length, rows: batch });
      });
      await adding.catch((error: unknown) => {
        const hint = 'Some sample data was added. Run the same command again to add the rest.';
        throw error instanceof SalonError ? withContext(error, { hint }) : error;
      });
      if (collection in counts) counts[collection as keyof typeof counts] += batch.length;
    }
  }
  return database.transaction({ accountId }, async (tx) => {
    if (plan.extras) await saveSettings(tx, accountId, plan);
    await tx.run("delete from database_settings where name = 'sample plan of ' || ?", [accountId]);
    const event = { accountId, action: 'account.seeded', id: accountId } as const;
    await recordByOperator(tx, environment, { ...event, details: counts });
    return counts;
  });
}

/** The plan of an interrupted call. */
export async function readSamplePlan(reader: Reader, accountId: string): Promise<SamplePlan | undefined> {
  const text = "select value from database_settings where name = 'sample plan of ' || ?";
  const [row] = await reader.run<{ value: string }>(text, [accountId]);
  const plan: SamplePlan | undefined = row && JSON.parse(row.value);
  return plan && { ...plan, today: new Date(plan.today) };
}

/** Settings that somebody has changed stay. Most clients have French numbers. */
async function saveSettings(tx: Writer, accountId: string, { timeZone, today }: SamplePlan): Promise<void> {
  const { name, settings } = (await readSalon(tx, accountId)) ?? {};
  if (settings !== null) return;
  const { currency, country, ...address } = sample.settings;
  const salon = {
    ...{ name, time_zone: timeZone ?? 'UTC', currency, country, opening_hours: toWorkingHours(), ...address },
    updated_at: today.toISOString(),
  };
  await saveSalonSettings(tx, accountId, JSON.stringify(salon));
}
