import { describe, expect, it } from 'vitest';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import {
  createStylist,
  getStylist,
  listStylists,
  updateStylist,
} from '../../../src/service/domain/stylists.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';

describe('a new stylist', () => {
  it('has every field, is active, and has only the given values', async () => {
    await using salon = await openTestSalon();
    const stylist = await createStylist(salon.as(), { first_name: 'Mia', email: 'Mia@Salon.TEST' });
    expect(stylist).toEqual({
      id: expect.stringMatching(/^sty_[0-9a-hjkmnp-tv-z]{26}$/),
      first_name: 'Mia',
      last_name: null,
      display_name: null,
      email: 'mia@salon.test',
      phone: null,
      active: true,
      services: [],
      created_at: testNow,
      updated_at: testNow,
      working_hours: null,
    });
    expect(await getStylist(salon.as(), stylist.id)).toEqual(stylist);
  });

  it.each([
    ['no name', { services: ['Cut'] }, '', 'required'],
    ['a name of spaces', { display_name: '  ' }, '', 'required'],
    ['NUL in a service', { first_name: 'Mia', services: ['Cut', '\0'] }, '/services/1', 'invalid_format'],
  ])('is refused with %s', async (_, body, pointer, code) => {
    await using salon = await openTestSalon();
    await expect(createStylist(salon.as(), body)).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer, code }],
    });
  });
});

describe('a change of a stylist', () => {
  it('changes only the given fields; null clears', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addStylist({ phone: '+4912345678' });
    const before = await getStylist(salon.as(), id);
    const changed = await updateStylist(salon.as(), id, {
      change: { phone: null, services: ['Cut'], id: 'x', working_hours: 'Tue-Sat: 10-18' },
    });
    expect(changed).toEqual({
      ...before,
      phone: null,
      services: ['Cut'],
      working_hours: 'tue-sat 10:00-18:00',
      updated_at: '2026-11-21T12:00:00.001Z',
    });
  });

  it('without a new value changes neither time nor version', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addStylist();
    const { version } = await listStylists(salon.as(), {});
    await expect(updateStylist(salon.as(), id, { change: { active: true } })).resolves.toMatchObject({
      updated_at: testNow,
    });
    expect((await listStylists(salon.as(), {})).version).toBe(version);
  });

  it('cannot remove the last name', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addStylist();
    const change = { first_name: null, last_name: '', display_name: null };
    await expect(updateStylist(salon.as(), id, { change })).rejects.toMatchObject({
      violations: [{ pointer: '', code: 'required' }],
    });
  });
});

describe('a stylist who becomes inactive', () => {
  it('stays in the list, keeps appointments, and can be booked only when active again', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    await salon.addAppointment({ stylist_id });
    await updateStylist(salon.as(), stylist_id, { change: { active: false } });
    expect((await listAppointments(salon.as(), { stylist_id })).total).toBe(1);
    expect((await listStylists(salon.as(), {})).total).toBe(1);
    const later = { stylist_id, start_time: '2026-12-05T09:00:00Z' };
    await expect(salon.addAppointment(later)).rejects.toMatchObject({
      violations: [{ pointer: '/stylist_id', code: 'inactive' }],
    });
    await updateStylist(salon.as(), stylist_id, { change: { active: true } });
    await expect(salon.addAppointment(later)).resolves.toBeDefined();
  });
});

describe('the list of stylists', () => {
  it.each([
    [undefined, [0, 1, 2]],
    ['-created_at', [2, 1, 0]],
    ['-updated_at', [0, 2, 1]],
  ] as const)('is read page by page in the order %s, and behind a cursor', async (sort, order) => {
    await using salon = await openTestSalon();
    const ids: string[] = [];
    for (const minute of ['01', '02', '03']) {
      salon.environment.setTime(`2026-11-21T12:${minute}:00Z`);
      ids.push((await createStylist(salon.as(), { first_name: minute })).id);
    }
    salon.environment.setTime('2026-11-21T13:00:00Z');
    await updateStylist(salon.as(), ids[0] ?? '', { change: { last_name: 'Last' } });
    const query = { per_page: 2, ...(sort === undefined ? {} : { sort }) };
    const first = await listStylists(salon.as(), query);
    const second = await listStylists(salon.as(), { ...query, after: first.next ?? '' });
    const rows = [first, second].flatMap(
      ({ dataJson }) => JSON.parse(dataJson.toString()) as { id: string }[],
    );
    expect(rows.map(({ id }) => id)).toEqual(order.map((index) => ids[index]));
    expect([first.total, second.next]).toEqual([3, null]);
  });
});
