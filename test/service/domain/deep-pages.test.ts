import { describe, expect, it } from 'vitest';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import type { Database } from '../../../src/service/db/database.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

describe('a page far into a list', () => {
  const total = 100_402;
  const per_page = 200;

  /** A database whose lists have many records, without the time it takes to add them. */
  const withLongLists = (salon: TestSalon): Database => ({
    ...salon.store.database,
    readPage: async ({ from, limit }) => {
      const first = 'offset' in from ? from.offset : from.after.seq;
      const rows = Array.from({ length: Math.min(limit, total - first) }, (_, index) => first + index + 1);
      const last = first + limit < total ? { value: first + limit, seq: first + limit } : null;
      return { dataJson: Buffer.from(JSON.stringify(rows)), count: rows.length, total, version: 1, last };
    },
  });

  it('needs a cursor behind 100,000 records of a list, and only there', async () => {
    await using salon = await openTestSalon();
    const context = { ...salon.as(), database: withLongLists(salon) };
    const read = async (query: QueryOf<'listAppointments'>) => {
      const { dataJson, ...page } = await listAppointments(context, { per_page, ...query });
      return { ...page, first: JSON.parse(dataJson.toString())[0] };
    };
    for (const list of [{}, { sort: '-created_at' }, { status: 'confirmed' }] as const) {
      const last = await read({ ...list, page: 501 });
      expect(last.first).toBe(100_001);
      await expect(read({ ...list, page: 502 })).rejects.toMatchObject({ code: 'use_cursor' });
      expect(await read({ ...list, page: 502, after: last.next ?? '' })).toMatchObject({ first: 100_201 });
      expect(await read({ ...list, page: 504 })).toMatchObject({ first: undefined, total, next: null });
    }
  });
});
