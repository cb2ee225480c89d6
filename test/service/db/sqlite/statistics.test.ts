import { describe, expect, it } from 'vitest';
import { addManyAppointments } from '../../../support/many-appointments.ts';
import { openTestSalon } from '../../../support/salon.ts';

describe('statistics for the query planner', () => {
  it('are used by connections that are open', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addManyAppointments(database, accountId, 1000);
    await database.transaction({ accountId }, (tx) => tx.run('update appointments set client_id = id', []));
    const readPlan = async (when: string) => {
      // Explaining a statement does not notice changes of the schema, as running one does.
      await database.reader.run('select 1 from appointments limit 1', []);
      const text = `explain query plan -- ${when}
        select record from appointments where account_id = ? and client_id = ?
        order by start_ms, seq limit 51`;
      const steps = await database.reader.run<{ detail: string }>(text, [accountId, 'c']);
      return steps[0]?.detail;
    };
    expect(await readPlan('before')).toContain('appointments_start_ms_seq');
    await database.updateStatistics();
    expect(await readPlan('after')).toContain('appointments_client_id_seq');
  });

  it('are collected again when a table has ten times the rows', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const readRows = async () => {
      const text = "select stat from sqlite_stat1 where idx = 'appointments_client_id_seq'";
      const [row] = await database.reader.run<{ stat: string }>(text, []);
      return Number(row?.stat.split(' ')[0]);
    };
    const rows: number[] = [];
    for (const [index, count] of [50, 100, 1000].entries()) {
      const { accountId: another } = index === 0 ? { accountId } : await salon.openNeighbour();
      await addManyAppointments(database, another, count);
      await database.updateStatistics();
      rows.push(await readRows());
    }
    expect(rows).toEqual([50, 50, 1150]);
  });
});
