import { describe, expect, it } from 'vitest';
import {
  addClient,
  deleteClient,
  getClient,
  listClients,
  updateClient,
} from '../../../src/service/domain/clients.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';
import { readStored } from '../../support/stored-text.ts';

describe('a new client', () => {
  it('has every field, and only the given values', async () => {
    await using salon = await openTestSalon();
    const client = await addClient(salon.as(), { last_name: 'Müller' });
    expect(client).toEqual({
      id: expect.stringMatching(/^cli_[0-9a-hjkmnp-tv-z]{26}$/),
      first_name: null,
      last_name: 'Müller',
      email: null,
      phone: null,
      birthday: null,
      notes: null,
      preferred_stylist_id: null,
      tags: [],
      email_marketing_consent: false,
      sms_marketing_consent: false,
      external_id: null,
      created_at: testNow,
      updated_at: testNow,
    });
    expect(await getClient(salon.as(), client.id)).toEqual(client);
  });

  it('has a lower-case email and a phone number of digits', async () => {
    await using salon = await openTestSalon();
    const client = await addClient(salon.as(), { email: 'Ada@Example.COM', phone: '+44 (20) 7946-0.018' });
    expect(client).toMatchObject({ email: 'ada@example.com', phone: '+442079460018' });
  });

  it.each([
    ['no client data at all', { notes: 'x' }, '', 'required'],
    ['names of spaces only', { first_name: ' ', last_name: '' }, '', 'required'],
    ['a birthday to come', { first_name: 'A', birthday: '2026-11-22' }, '/birthday', 'out_of_range'],
    ['NUL in a name', { first_name: 'A\0' }, '/first_name', 'invalid_format'],
    ['half a surrogate pair', { first_name: 'A', notes: '\ud800' }, '/notes', 'invalid_format'],
    ['NUL in a tag', { first_name: 'A', tags: ['ok', '\0'] }, '/tags/1', 'invalid_format'],
    [
      'an unknown stylist',
      { first_name: 'A', preferred_stylist_id: 'sty_x' },
      '/preferred_stylist_id',
      'not_found',
    ],
  ])('is refused with %s', async (_, body, pointer, code) => {
    await using salon = await openTestSalon();
    await expect(addClient(salon.as(), body)).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer, code }],
    });
  });

  it('can have a birthday today', async () => {
    await using salon = await openTestSalon();
    const born = addClient(salon.as(), { first_name: 'A', birthday: '2026-11-21' });
    await expect(born).resolves.toMatchObject({ birthday: '2026-11-21' });
  });

  it('can have a birthday without a year, also 29 February', async () => {
    await using salon = await openTestSalon();
    for (const birthday of ['--12-31', '--02-29']) {
      const { id } = await addClient(salon.as(), { first_name: 'A', birthday });
      expect(await getClient(salon.as(), id)).toMatchObject({ birthday });
    }
  });

  it('cannot prefer an inactive stylist or one of another account', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const cases = [
      [await salon.addStylist({ active: false }), 'inactive'],
      [await neighbour.addStylist(), 'not_found'],
    ] as const;
    for (const [preferred_stylist_id, code] of cases) {
      await expect(addClient(salon.as(), { first_name: 'A', preferred_stylist_id })).rejects.toMatchObject({
        violations: [{ pointer: '/preferred_stylist_id', code }],
      });
    }
  });
});

describe('a change of a client', () => {
  it('changes only the given fields, clears with null, and ignores read-only fields', async () => {
    await using salon = await openTestSalon();
    const before = await addClient(salon.as(), { first_name: 'Ada', email: 'a@b.c', tags: ['vip'] });
    salon.environment.setTime('2026-11-22T00:00:00.000Z');
    const change = { email: null, last_name: 'King', id: 'cli_other', created_at: 'x', updated_at: 'y' };
    const after = await updateClient(salon.as(), before.id, { change });
    expect(after).toEqual({
      ...before,
      email: null,
      last_name: 'King',
      updated_at: '2026-11-22T00:00:00.000Z',
    });
    expect(await getClient(salon.as(), before.id)).toEqual(after);
  });

  it('without a new value changes neither time nor version', async () => {
    await using salon = await openTestSalon();
    const before = await addClient(salon.as(), { first_name: 'Ada', email: 'a@b.c' });
    const { version } = await listClients(salon.as(), {});
    salon.environment.setTime('2027-01-01T00:00:00.000Z');
    expect(
      await updateClient(salon.as(), before.id, { change: { first_name: 'Ada', email: 'A@B.C' } }),
    ).toEqual(before);
    expect((await listClients(salon.as(), {})).version).toBe(version);
  });

  it('cannot remove the last name, email or phone number', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addClient({ first_name: 'Ada' });
    await expect(updateClient(salon.as(), id, { change: { first_name: null } })).rejects.toMatchObject({
      violations: [{ pointer: '', code: 'required' }],
    });
    expect(await getClient(salon.as(), id)).toMatchObject({ first_name: 'Ada' });
  });

  it('changes how the client is found', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addClient({ email: 'old@example.com' });
    await updateClient(salon.as(), id, { change: { email: 'new@example.com' } });
    expect((await listClients(salon.as(), { email: 'old@example.com' })).total).toBe(0);
    expect((await listClients(salon.as(), { email: 'new@example.com' })).total).toBe(1);
  });

  it('of an unknown client is not found', async () => {
    await using salon = await openTestSalon();
    await expect(updateClient(salon.as(), 'cli_none', { change: {} })).rejects.toMatchObject({
      code: 'not_found',
      members: { resource: 'client', id: 'cli_none' },
    });
  });
});

describe('deleting a client', () => {
  it('removes it from the list and from the database', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addClient({ last_name: 'Vanishing-Surname', email: 'vanishing@example.com' });
    await salon.addClient();
    await deleteClient(salon.as(), id, { force: false });
    await expect(getClient(salon.as(), id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteClient(salon.as(), id, { force: true })).rejects.toMatchObject({ code: 'not_found' });
    expect((await listClients(salon.as(), {})).total).toBe(1);
    await salon.store.database.close();
    expect(await readStored(salon.store.location)).not.toMatch(/vanishing/i);
  });

  it('raises the version', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addClient();
    const { version } = await listClients(salon.as(), {});
    await deleteClient(salon.as(), id, { force: false });
    expect((await listClients(salon.as(), {})).version).toBeGreaterThan(version);
  });
});
