import { expect } from 'vitest';
import type { ChangeKind } from '../../src/contract/changes.ts';
import { readChanges } from '../../src/service/domain/changes.ts';
import type { Context } from '../../src/service/domain/context.ts';
import type { PageOfRecords } from '../../src/service/domain/list-page.ts';
import { handlers, type OperationRequest } from '../../src/service/http/handlers.ts';

const lists = {
  client: 'listClients',
  appointment: 'listAppointments',
  payment: 'listPayments',
  stylist: 'listStylists',
  service: 'listServices',
  blocked_time: 'listBlockedTimes',
  waitlist_entry: 'listWaitlistEntries',
} as const satisfies Partial<Record<ChangeKind, keyof typeof handlers>>;

/** Every record of the account by its ID, as the lists and the salon's own GET have them. */
async function readRecords(context: Context): Promise<Map<string, unknown>> {
  const salon = await handlers.getSalon({ context } as OperationRequest<'getSalon'>);
  const records = new Map<string, unknown>([[context.caller.account.id, salon]]);
  for (const list of Object.values(lists)) {
    for (let after: string | null | undefined; after !== null; ) {
      const query = { per_page: 200, ...(after === undefined ? {} : { after }) };
      const request = { context, query } as unknown as OperationRequest<'listClients'>;
      const page: PageOfRecords = await handlers[list as 'listClients'](request);
      for (const record of JSON.parse(page.dataJson.toString())) records.set(record.id, record);
      after = page.next;
    }
  }
  return records;
}

/** Folds the changes of an account into records, from a snapshot on. */
export async function openFollower(context: Context, perPage = 50) {
  let { position } = await readChanges(context, {});
  const records = await readRecords(context);

  /** Reads all changes there are. Returns how many. */
  async function follow(): Promise<number> {
    let count = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await readChanges(context, { after: position, per_page: perPage });
      for (const text of page.data) {
        const change = JSON.parse(text);
        if (change.deleted) records.delete(change.id);
        else records.set(change.id, change.record);
      }
      count += page.data.length;
      position = page.position;
      hasMore = page.has_more;
    }
    return count;
  }

  return {
    follow,
    /** Expects the folded records to be those of the lists, at a moment in which nothing changes. */
    async expectSame(): Promise<void> {
      let listed: Map<string, unknown>;
      do {
        await follow();
        listed = await readRecords(context);
      } while ((await follow()) > 0);
      expect(Object.fromEntries(records)).toEqual(Object.fromEntries(listed));
    },
  };
}
