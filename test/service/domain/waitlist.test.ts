import { describe, expect, it } from 'vitest';
import type { BodyOf, QueryOf } from '../../../src/contract/endpoints.ts';
import type { WaitlistEntry } from '../../../src/contract/waitlist.ts';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import { unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import {
  createWaitlistEntry,
  deleteWaitlistEntry,
  getWaitlistEntry,
  listWaitlistEntries,
  updateWaitlistEntry,
} from '../../../src/service/domain/waitlist.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { mergeDouble, openDoubleSalon } from '../../support/double-salon.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';
import { readSalon } from '../../support/salon-state.ts';

const [ten, noon, two] = ['2026-12-05T10:00:00Z', '2026-12-05T12:00:00Z', '2026-12-05T14:00:00Z'];

async function list(context: Context, query: QueryOf<'listWaitlistEntries'> = {}): Promise<WaitlistEntry[]> {
  return JSON.parse(String((await listWaitlistEntries(context, query)).dataJson));
}

async function listIds(salon: TestSalon, query: QueryOf<'listWaitlistEntries'>) {
  return (await list(salon.as(), query)).map(({ id }) => id);
}

async function add(salon: TestSalon, body: Partial<BodyOf<'createWaitlistEntry'>> = {}) {
  const client_id = body.client_id ?? (await salon.addClient());
  return createWaitlistEntry(salon.as(), { service: 'Cut', from: ten, to: noon, ...body, client_id });
}

describe('an entry of the waiting list', () => {
  it('has its times in UTC, waits for anyone unless it says for whom, and can be changed', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const made = await add(salon, { client_id, from: '2026-12-05T11:00:00+01:00' });
    expect(made).toEqual({
      id: expect.stringMatching(/^wtl_[0-9a-hjkmnp-tv-z]{26}$/),
      ...{ client_id, service: 'Cut', stylist_id: null, from: ten, to: noon, note: null, status: 'waiting' },
      ...{ created_at: testNow, updated_at: testNow },
    });
    expect(await getWaitlistEntry(salon.as(), made.id)).toEqual(made);
    const change = { status: 'offered', note: 'called', to: two } as const;
    const changed = await updateWaitlistEntry(salon.as(), made.id, { change, ifMatch: [`"${testNow}"`] });
    expect(changed).toMatchObject({ ...change, from: ten });
    await expect(
      updateWaitlistEntry(salon.as(), made.id, { change: { status: 'booked' }, ifMatch: [`"${testNow}"`] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await updateWaitlistEntry(salon.as(), made.id, { change: changed })).toEqual(changed);
  });

  it.each([
    ['ends when it starts', { to: ten }, '/to', 'out_of_range'],
    ['ends before it starts', { to: '2026-12-05T09:00:00Z' }, '/to', 'out_of_range'],
    ['is longer than 366 days', { to: '2027-12-06T10:00:01Z' }, '/to', 'out_of_range'],
    ['has passed', { from: '2026-11-20T10:00:00Z', to: testNow }, '/to', 'out_of_range'],
    ['is for no client of the account', { client_id: 'cli_other' }, '/client_id', 'not_found'],
    ['is for no stylist of the account', { stylist_id: 'sty_other' }, '/stylist_id', 'not_found'],
    ['has expired by what it says', { status: 'expired' }, '/status', 'out_of_range'],
    ['has NUL in its note', { note: '\0' }, '/note', 'invalid_format'],
  ] as const)('that %s is refused', async (_, change, pointer, code) => {
    await using salon = await openTestSalon();
    const refusal = { code: 'validation_failed', violations: [{ pointer, code }] };
    await expect(add(salon, change)).rejects.toMatchObject(refusal);
    const { id } = await add(salon);
    await expect(updateWaitlistEntry(salon.as(), id, { change })).rejects.toMatchObject(refusal);
    expect(await list(salon.as())).toMatchObject([{ id, to: noon, updated_at: testNow }]);
  });

  it('expires at its end by itself, and waits again when it is extended', async () => {
    await using salon = await openTestSalon();
    const [waiting, offered, booked] = [
      await add(salon),
      await add(salon, { status: 'offered' }),
      await add(salon, { status: 'booked' }),
    ];
    const later = await add(salon, { to: two });
    const statuses = () => list(salon.as()).then((entries) => entries.map(({ status }) => status));
    const ids = [waiting, offered, booked, later].map(({ id }) => id);
    salon.environment.setTime('2026-12-05T11:59:59.999Z');
    expect(await statuses()).toEqual(['waiting', 'offered', 'booked', 'waiting']);
    expect(await listIds(salon, { status: 'expired' })).toEqual([]);
    salon.environment.setTime(noon);
    expect(await statuses()).toEqual(['expired', 'expired', 'booked', 'waiting']);
    // A copy that was kept with the former tag or version would still say waiting.
    const expired = { status: 'expired', updated_at: '2026-12-05T12:00:00.000Z' };
    expect(await getWaitlistEntry(salon.as(), waiting.id)).toEqual({ ...waiting, ...expired });
    expect(await listWaitlistEntries(salon.as(), {})).not.toHaveProperty('version');
    const stale = { change: { note: 'x' }, ifMatch: [`"${testNow}"`] };
    await expect(updateWaitlistEntry(salon.as(), waiting.id, stale)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    for (const [status, found] of [
      ['expired', [0, 1]],
      ['waiting', [3]],
      ['offered', []],
      ['booked', [2]],
      ['waiting,offered', [3]],
      ['booked,expired', [0, 1, 2]],
      ['waiting,expired', [0, 1, 3]],
      ['waiting,offered,booked,expired', [0, 1, 2, 3]],
    ] as const) {
      const page = await listWaitlistEntries(salon.as(), { status });
      expect(JSON.parse(String(page.dataJson)).map(({ id }: { id: string }) => id)).toEqual(
        found.map((index) => ids[index]),
      );
      expect(page.total).toBe(found.length);
    }
    const whole = await getWaitlistEntry(salon.as(), offered.id);
    const noted = await updateWaitlistEntry(salon.as(), offered.id, { change: { ...whole, note: 'gone' } });
    expect(noted).toMatchObject({ status: 'expired', note: 'gone' });
    const extended = await updateWaitlistEntry(salon.as(), offered.id, { change: { ...noted, to: two } });
    expect(extended.status).toBe('offered');
    await expect(
      updateWaitlistEntry(salon.as(), later.id, { change: { status: 'expired' } }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('loses its note everywhere when it is deleted', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const body = { client_id, service: 'Cut', from: ten, to: noon, note: 'Vanishing' };
    const addOnce = () =>
      createIdempotency()(salon.as(), { key: 'k', digest: 'd' }, (context) =>
        createWaitlistEntry(context, body),
      );
    const { result } = await addOnce();
    const kept = await createIdempotency()(salon.as(), { key: 'other', digest: 'd' }, (context) =>
      createWaitlistEntry(context, { ...body, note: 'Stays' }),
    );
    await updateWaitlistEntry(salon.as(), result.id, { change: { note: 'Vanishing, too' } });
    await deleteWaitlistEntry(salon.as(), result.id);
    expect(await addOnce()).toEqual({ result: { ...result, note: null }, isReplay: true });
    const text = JSON.stringify(await readSalon(salon.store.database, { withLogs: true }));
    expect(text).not.toContain('Vanishing');
    expect(text).toContain('Stays');
    expect(await list(salon.as())).toEqual([kept.result]);
    const log = await listAuditLog(salon.as(), { action: 'waitlist_entry.*', record: result.id });
    const actions = JSON.parse(String(log.dataJson)).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['waitlist_entry.created', 'waitlist_entry.updated', 'waitlist_entry.deleted']);
  });

  it('goes with its client, and nothing of it is left', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const { id } = await add(salon, { client_id, note: 'Vanishing' });
    const other = await add(salon);
    await updateWaitlistEntry(salon.as(), id, { change: { note: 'Vanishing, too' } });
    await deleteClient(salon.as(), client_id, { force: false });
    expect(await list(salon.as())).toEqual([other]);
    const state = await readSalon(salon.store.database, { withLogs: true });
    expect(JSON.stringify(state)).not.toContain('Vanishing');
    const log = await listAuditLog(salon.as(), { record: id, action: 'waitlist_entry.deleted' });
    expect(log.total).toBe(1);
    const checks = await checkDatabase(salon.store.location);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('moves with a merge of its client, and back', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const moved = await add(salon, { client_id: from, note: 'mornings' });
    const own = await add(salon, { client_id: into });
    const before = await readSalon(salon.store.database);
    expect((await mergeDouble(double)).moved).toEqual({ appointments: 2, payments: 2, waitlist_entries: 1 });
    const of = async (client_id: string) => (await listIds(salon, { client_id })).toSorted();
    expect(await of(into)).toEqual([moved.id, own.id].toSorted());
    const added = await add(salon, { client_id: into });
    expect((await unmergeClients(salon.as(), into, {})).moved).toMatchObject({ waitlist_entries: 1 });
    expect(await of(from)).toEqual([moved.id]);
    await deleteWaitlistEntry(salon.as(), added.id);
    expect(await readSalon(salon.store.database)).toEqual(before);
    await deleteClient(salon.as(), from, { force: true });
    const state = await readSalon(salon.store.database, { withLogs: true });
    expect(JSON.stringify(state)).not.toContain('mornings');
    expect(await of(into)).toEqual([own.id]);
  });

  it('is checked for clients and stylists who do not exist', async () => {
    await using salon = await openTestSalon();
    const { id } = await add(salon, { stylist_id: await salon.addStylist() });
    const text = "update waitlist_entries set stylist_id = 'sty_none', client_id = 'cli_none' where id = ?";
    await salon.store.database.transaction('rows', (tx) => tx.run(text, [id]));
    const problems = (await checkDatabase(salon.store.location)).flatMap((result) => result.problems);
    for (const others of ['clients', 'stylists']) {
      expect(problems).toContain(`1 row of waitlist_entries refer to ${others} that do not exist.`);
    }
  });
});

describe('the waiting list', () => {
  it('finds who would come at a time: those who wait for that stylist or for anyone', async () => {
    await using salon = await openTestSalon();
    const [mia, theo] = [await salon.addStylist(), await salon.addStylist()];
    const anyone = await add(salon, { to: two });
    const forMia = await add(salon, { stylist_id: mia });
    const forTheo = await add(salon, { stylist_id: theo });
    const fits = (query: QueryOf<'listWaitlistEntries'>) => listIds(salon, { fits_start: ten, ...query });
    expect(await fits({})).toEqual([anyone.id, forMia.id, forTheo.id]);
    expect(await fits({ stylist_id: mia })).toEqual([anyone.id, forMia.id]);
    expect(await fits({ stylist_id: mia, fits_duration: 120 })).toEqual([anyone.id, forMia.id]);
    expect(await fits({ stylist_id: mia, fits_duration: 121 })).toEqual([anyone.id]);
    expect(await fits({ fits_start: '2026-12-05T09:59:59Z' })).toEqual([]);
    expect(await fits({ fits_start: noon })).toEqual([anyone.id]);
    expect(await fits({ fits_start: two })).toEqual([]);
    expect(await listIds(salon, { stylist_id: mia })).toEqual([forMia.id]);
    expect(await listIds(salon, { client_id: anyone.client_id, from: ten, to: noon })).toEqual([anyone.id]);
    expect(await listIds(salon, { from: noon })).toEqual([anyone.id]);
    for (const query of [{ fits_start: 'noon' }, { fits_duration: 30 }, { status: 'late' }]) {
      await expect(list(salon.as(), query)).rejects.toMatchObject({ code: 'invalid_parameter' });
    }
  });

  it('has cursors that do not lose or repeat entries, while some of them expire', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const ends = Array.from({ length: 7 }, (_, index) => `2026-12-05T1${(index % 2) + 1}:00:00Z`);
    const made: string[] = [];
    for (const to of ends) made.push((await add(salon, { client_id, to })).id);
    const query = { status: 'waiting', per_page: 2, sort: 'from' } as const;
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await listWaitlistEntries(salon.as(), after === undefined ? query : { ...query, after });
      found.push(...JSON.parse(String(page.dataJson)).map(({ id }: { id: string }) => id));
      after = page.next ?? undefined;
      salon.environment.setTime('2026-12-05T11:00:00Z');
    } while (after !== undefined);
    expect(found).toEqual(made.filter((_, index) => index < 2 || index % 2 === 1));
  });
});

describe('rights to the waiting list', () => {
  it('of a stylist are for own entries, and other accounts see none', async () => {
    await using salon = await openTestSalon();
    const [mia, theo] = [await salon.addStylist(), await salon.addStylist()];
    const [own, others, anyone] = [
      await add(salon, { stylist_id: mia }),
      await add(salon, { stylist_id: theo }),
      await add(salon),
    ];
    const asMia = salon.as({ role: 'stylist', stylistId: mia });
    const { client_id } = own;
    const body = { client_id, service: 'Cut', from: ten, to: noon };
    const denied = { code: 'permission_denied' };
    expect(await list(asMia)).toEqual([own]);
    expect(await list(asMia, { fits_start: ten })).toEqual([own]);
    expect(await list(asMia, { stylist_id: theo })).toEqual([]);
    for (const stylist_id of [theo, null]) {
      await expect(createWaitlistEntry(asMia, { ...body, stylist_id })).rejects.toMatchObject(denied);
      const change = { stylist_id };
      await expect(updateWaitlistEntry(asMia, own.id, { change })).rejects.toMatchObject(denied);
    }
    await expect(createWaitlistEntry(asMia, { ...body, stylist_id: mia })).resolves.toBeTruthy();
    const neighbour = (await salon.openNeighbour()).as();
    for (const context of [asMia, neighbour]) {
      for (const { id } of [others, anyone]) {
        for (const act of [
          () => getWaitlistEntry(context, id),
          () => updateWaitlistEntry(context, id, { change: { note: 'x' } }),
          () => deleteWaitlistEntry(context, id),
        ]) {
          await expect(act()).rejects.toMatchObject({ code: 'not_found' });
        }
      }
    }
    expect(await list(neighbour)).toEqual([]);
    expect(await list(salon.as({ role: 'viewer' }))).toHaveLength(4);
    await expect(
      createWaitlistEntry(salon.as({ role: 'viewer' }), { ...body, stylist_id: null }),
    ).rejects.toMatchObject(denied);
  });
});
