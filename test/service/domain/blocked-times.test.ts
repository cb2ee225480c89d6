import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import {
  createBlockedTime,
  deleteBlockedTime,
  getBlockedTime,
  listBlockedTimes,
  updateBlockedTime,
} from '../../../src/service/domain/blocked-times.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';

const [ten, noon] = ['2026-12-01T10:00:00Z', '2026-12-01T12:00:00Z'];

type Query = Parameters<typeof listBlockedTimes>[1];

async function list(context: ReturnType<TestSalon['as']>, query: Query = {}) {
  return JSON.parse(String((await listBlockedTimes(context, query)).dataJson));
}

const block = (salon: TestSalon, body: Partial<BodyOf<'createBlockedTime'>> = {}) =>
  createBlockedTime(salon.as(), { stylist_id: null, start_time: ten, end_time: noon, ...body });

describe('blocked time', () => {
  it('has its times in UTC, and names the appointments in it that take time', async () => {
    await using salon = await openTestSalon();
    const [mia, theo] = [await salon.addStylist(), await salon.addStylist()];
    const book = (stylist_id: string, start_time: string, change = {}) =>
      salon.addAppointment({ stylist_id, start_time, ...change });
    const into = await book(mia, '2026-12-01T09:30:00Z');
    await book(mia, '2026-12-01T09:00:00Z', { duration: 60, allow_overlap: true });
    await book(mia, '2026-12-01T12:00:00Z');
    await book(mia, '2026-12-01T11:00:00Z', { status: 'cancelled' });
    const inside = await book(theo, '2026-12-01T11:00:00Z');
    const body = {
      stylist_id: mia,
      start_time: '2026-12-01T11:00:00+01:00',
      reason: 'sick',
      note: 'flu',
    } as const;
    const made = await block(salon, body);
    expect(made).toEqual({
      id: expect.stringMatching(/^blk_[0-9a-hjkmnp-tv-z]{26}$/),
      ...{ stylist_id: mia, start_time: ten, end_time: noon, reason: 'sick', note: 'flu' },
      ...{ created_at: testNow, updated_at: testNow, affected_appointment_ids: [into], affected_count: 1 },
    });
    const { affected_appointment_ids, affected_count, ...record } = made;
    expect(await getBlockedTime(salon.as(), made.id)).toEqual(record);
    expect(await block(salon)).toMatchObject({ affected_appointment_ids: [into, inside], affected_count: 2 });
    const change = { end_time: '2026-12-01T12:30:00Z' };
    expect(await updateBlockedTime(salon.as(), made.id, { change })).toMatchObject({
      affected_count: 2,
      ...change,
    });
  });

  it('says how many appointments are in it when it lists only some', async () => {
    await using salon = await openTestSalon();
    const [client_id, stylist_id] = [await salon.addClient(), await salon.addStylist()];
    for (let minute = 0; minute < 101; minute++) {
      const start_time = new Date(Date.parse(ten) + minute * 60_000).toISOString();
      await salon.addAppointment({ client_id, stylist_id, start_time, duration: 1 });
    }
    const { affected_appointment_ids, affected_count } = await block(salon);
    expect([affected_appointment_ids.length, affected_count]).toEqual([100, 101]);
  });

  it.each([
    ['ends when it starts', { end_time: ten }, '/end_time', 'out_of_range'],
    ['ends before it starts', { end_time: '2026-12-01T09:59:59Z' }, '/end_time', 'out_of_range'],
    ['is longer than 366 days', { end_time: '2027-12-02T10:00:01Z' }, '/end_time', 'out_of_range'],
    ['names no stylist of the account', { stylist_id: 'sty_other' }, '/stylist_id', 'not_found'],
    ['has NUL in its note', { note: '\0' }, '/note', 'invalid_format'],
  ])('that %s is refused', async (_, change, pointer, code) => {
    await using salon = await openTestSalon();
    const refusal = { code: 'validation_failed', violations: [{ pointer, code }] };
    await expect(block(salon, change)).rejects.toMatchObject(refusal);
    const { id } = await block(salon, { end_time: '2027-12-02T10:00:00Z' });
    await expect(updateBlockedTime(salon.as(), id, { change })).rejects.toMatchObject(refusal);
    expect(await list(salon.as())).toEqual([expect.objectContaining({ end_time: '2027-12-02T10:00:00Z' })]);
  });

  it('of another account is not there, and cannot be of its stylist', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const { id } = await block(salon);
    const theirs = neighbour.as();
    for (const act of [
      () => getBlockedTime(theirs, id),
      () => updateBlockedTime(theirs, id, { change: { note: 'x' } }),
      () => deleteBlockedTime(theirs, id),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    }
    const stylist_id = await neighbour.addStylist();
    await expect(block(salon, { stylist_id })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('is listed by stylist and by what it overlaps', async () => {
    await using salon = await openTestSalon();
    const mia = await salon.addStylist();
    const [first, second] = [await block(salon, { stylist_id: mia }), await block(salon)];
    const ids = async (query: Query) => (await list(salon.as(), query)).map(({ id }: { id: string }) => id);
    expect(await ids({})).toEqual([first.id, second.id]);
    expect(await ids({ stylist_id: mia })).toEqual([first.id]);
    expect(await ids({ from: '2026-12-01T11:59:59Z', to: noon })).toEqual([first.id, second.id]);
    expect(await ids({ from: noon })).toEqual([]);
    expect(await ids({ to: ten })).toEqual([]);
    expect(await ids({ from: '2026-12-01', to: '2026-12-01', sort: '-start_time' })).toHaveLength(2);
    await expect(ids({ from: 'noon' })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('loses its note in the audit log when it is deleted', async () => {
    await using salon = await openTestSalon();
    const { id } = await block(salon, { note: 'hospital' });
    await updateBlockedTime(salon.as(), id, { change: { note: 'hospital in Rome' } });
    await expect(deleteBlockedTime(salon.as(), id, { ifMatch: [`"${testNow}"`] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await deleteBlockedTime(salon.as(), id);
    const { dataJson } = await listAuditLog(salon.as(), { action: 'blocked_time.*' });
    expect(String(dataJson)).not.toContain('hospital');
    const actions = JSON.parse(String(dataJson)).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['blocked_time.created', 'blocked_time.updated', 'blocked_time.deleted']);
  });
});

describe('rights to blocked time', () => {
  it('of the whole salon are for owners and managers, of others not for a stylist', async () => {
    await using salon = await openTestSalon();
    const [mia, theo] = [await salon.addStylist(), await salon.addStylist()];
    const body = { start_time: ten, end_time: noon };
    const asMia = salon.as({ role: 'stylist', stylistId: mia });
    const closed = await block(salon);
    const own = await createBlockedTime(asMia, { ...body, stylist_id: mia });
    const others = await createBlockedTime(salon.as({ role: 'receptionist' }), { ...body, stylist_id: theo });
    const denied = { code: 'permission_denied' };
    for (const context of [asMia, salon.as({ role: 'receptionist' })]) {
      await expect(createBlockedTime(context, { ...body, stylist_id: null })).rejects.toMatchObject(denied);
      await expect(deleteBlockedTime(context, closed.id)).rejects.toMatchObject(denied);
      const change = { stylist_id: null };
      await expect(updateBlockedTime(context, own.id, { change })).rejects.toMatchObject(denied);
    }
    await expect(createBlockedTime(asMia, { ...body, stylist_id: theo })).rejects.toMatchObject(denied);
    await expect(deleteBlockedTime(asMia, others.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteBlockedTime(asMia, own.id)).resolves.toBeUndefined();
    expect((await list(asMia)).map(({ id }: { id: string }) => id)).toEqual([closed.id]);
    expect(await list(salon.as())).toHaveLength(2);
  });

  it('leave reason and note to staff and the stylist; others see that somebody is away', async () => {
    await using salon = await openTestSalon();
    const [mia, theo] = [await salon.addStylist(), await salon.addStylist()];
    const { id } = await block(salon, { stylist_id: mia, reason: 'sick', note: 'flu' });
    for (const context of [
      salon.as({ role: 'manager' }),
      salon.as({ role: 'receptionist' }),
      salon.as({ role: 'stylist', stylistId: mia }),
    ]) {
      expect(await getBlockedTime(context, id)).toMatchObject({ reason: 'sick', note: 'flu' });
      expect(await list(context)).toMatchObject([{ reason: 'sick', note: 'flu' }]);
    }
    const viewer = salon.as({ role: 'viewer' });
    expect(await getBlockedTime(viewer, id)).toMatchObject({ reason: 'away', note: null });
    expect(await list(viewer)).toMatchObject([{ reason: 'away', note: null }]);
    expect(await list(salon.as({ role: 'stylist', stylistId: theo }))).toEqual([]);
  });
});

it('is checked for stylists who do not exist', async () => {
  await using salon = await openTestSalon();
  const { id } = await block(salon, { stylist_id: await salon.addStylist() });
  const text = "update blocked_times set stylist_id = 'sty_none' where id = ?";
  await salon.store.database.transaction('rows', (tx) => tx.run(text, [id]));
  const problems = (await checkDatabase(salon.store.location)).flatMap((result) => result.problems);
  expect(problems).toContain('1 row of blocked_times refer to stylists that do not exist.');
});
