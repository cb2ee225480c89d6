import { describe, expect, it } from 'vitest';
import { type Role, roles } from '../../../src/contract/roles.ts';
import {
  createAppointment,
  getAppointment,
  listAppointments,
} from '../../../src/service/domain/appointments.ts';
import {
  addClient,
  deleteClient,
  getClient,
  listClients,
  updateClient,
} from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { openTestSalon } from '../../support/salon.ts';

/** The roles that can do it; others are refused with the last role as required. */
const operations: [string, readonly Role[], Role, (context: Context) => Promise<unknown>][] = [
  ['list appointments', roles, 'viewer', (context) => listAppointments(context, {})],
  ['list clients', roles, 'viewer', (context) => listClients(context, {})],
  ['read a client', roles, 'viewer', (context) => getClient(context, 'cli_none')],
  [
    'create a client',
    ['owner', 'manager', 'receptionist', 'stylist'],
    'stylist',
    (context) => addClient(context, { first_name: 'A' }),
  ],
  [
    'update a client',
    ['owner', 'manager', 'receptionist', 'stylist'],
    'stylist',
    (context) => updateClient(context, 'cli_none', { change: {} }),
  ],
  [
    'delete a client',
    ['owner', 'manager'],
    'manager',
    (context) => deleteClient(context, 'cli_none', { force: false }),
  ],
];

describe('a role', () => {
  it.each(operations)('can %s: %j', async (_, allowed, requiredRole, act) => {
    await using salon = await openTestSalon();
    for (const role of roles) {
      const refusal: { code?: string } = await act(salon.as({ role, stylistId: 'sty_own' })).then(
        () => ({}),
        (error) => error,
      );
      if (allowed.includes(role)) {
        expect(refusal.code, role).not.toBe('permission_denied');
      } else {
        expect(refusal, role).toMatchObject({
          code: 'permission_denied',
          members: { required_role: requiredRole },
        });
      }
    }
  });

  it('is checked before the scope, and the scope before any read', async () => {
    await using salon = await openTestSalon();
    const reading = salon.as({ role: 'viewer', scopes: ['appointments:read'] });
    await expect(addClient(reading, { first_name: 'A' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(getClient(reading, 'cli_none')).rejects.toMatchObject({
      code: 'insufficient_scope',
      members: { scope: 'clients:read' },
    });
  });
});

describe("a stylist's key", () => {
  it('sees only its own appointments', async () => {
    await using salon = await openTestSalon();
    const own = await salon.addStylist();
    const mine = await salon.addAppointment({ stylist_id: own });
    const theirs = await salon.addAppointment();
    const context = salon.as({ role: 'stylist', stylistId: own });
    expect((await listAppointments(context, {})).total).toBe(1);
    const { stylist_id } = await getAppointment(salon.as(), theirs);
    expect((await listAppointments(context, { stylist_id })).dataJson.toString()).toBe('[]');
    await expect(getAppointment(context, mine)).resolves.toMatchObject({ id: mine });
    await expect(getAppointment(context, theirs)).rejects.toMatchObject({
      code: 'not_found',
      members: { resource: 'appointment', id: theirs },
    });
  });

  it('books only its own time', async () => {
    await using salon = await openTestSalon();
    const own = await salon.addStylist();
    const context = salon.as({ role: 'stylist', stylistId: own });
    const body = {
      client_id: await salon.addClient(),
      service: 'Cut',
      start_time: '2026-12-01T09:00:00Z',
      duration: 30,
    };
    await expect(createAppointment(context, { ...body, stylist_id: own })).resolves.toBeDefined();
    const stylist_id = await salon.addStylist();
    await expect(createAppointment(context, { ...body, stylist_id })).rejects.toMatchObject({
      code: 'permission_denied',
      members: { required_role: 'receptionist' },
    });
  });
});

describe("another account's records", () => {
  it('are not found', async () => {
    await using salon = await openTestSalon();
    const client = await salon.addClient();
    const appointment = await salon.addAppointment({ client_id: client });
    const stranger = (await salon.openNeighbour()).as();
    const notFound = { code: 'not_found' };
    await expect(getClient(stranger, client)).rejects.toMatchObject(notFound);
    await expect(updateClient(stranger, client, { change: { notes: 'x' } })).rejects.toMatchObject(notFound);
    await expect(deleteClient(stranger, client, { force: true })).rejects.toMatchObject(notFound);
    await expect(getAppointment(stranger, appointment)).rejects.toMatchObject(notFound);
    for (const list of [
      await listClients(stranger, {}),
      await listAppointments(stranger, { client_id: client }),
    ]) {
      expect(list).toMatchObject({ dataJson: Buffer.from('[]'), total: 0, version: 0 });
    }
    await expect(getClient(salon.as(), client)).resolves.toMatchObject({ notes: null });
  });
});
