import { describe, expect, it } from 'vitest';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import { getSalon, updateSalon } from '../../../src/service/domain/salon-settings.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';

const nothingSet = {
  name: 'Test salon',
  time_zone: null,
  currency: null,
  country: null,
  opening_hours: null,
  phone: null,
  address: null,
  updated_at: testNow,
};

describe('the settings of a salon', () => {
  it('are null until they are set, and the name is that of the account', async () => {
    await using salon = await openTestSalon();
    expect(await getSalon(salon.as({ role: 'viewer' }))).toEqual(nothingSet);
  });

  it('are changed one by one, in their usual form; null clears', async () => {
    await using salon = await openTestSalon();
    const change = {
      name: 'Lumen',
      time_zone: 'Europe/Berlin',
      opening_hours: 'Tue-Sat: 9-18',
      phone: '+49 30 123-456',
    };
    const set = { ...change, opening_hours: 'tue-sat 09:00-18:00', phone: '+4930123456' };
    const updated_at = '2026-11-21T12:00:00.001Z';
    expect(await updateSalon(salon.as(), { change })).toEqual({ ...nothingSet, ...set, updated_at });
    await updateSalon(salon.as(), { change: { phone: null, name: null } });
    expect(await getSalon(salon.as())).toMatchObject({
      name: 'Test salon',
      phone: null,
      time_zone: 'Europe/Berlin',
    });
    const neighbour = await salon.openNeighbour();
    expect(await getSalon(neighbour.as())).toEqual(nothingSet);
  });

  it('are not written when nothing changes, nor with the tag of another state', async () => {
    await using salon = await openTestSalon();
    const { updated_at } = await updateSalon(salon.as(), { change: { currency: 'EUR' } });
    expect(await updateSalon(salon.as(), { change: { currency: 'EUR' } })).toMatchObject({ updated_at });
    const stale = { change: { currency: 'CHF' }, ifMatch: [`"${testNow}"`] };
    await expect(updateSalon(salon.as(), stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    const { dataJson } = await listAuditLog(salon.as(), { action: 'salon.*' });
    expect(JSON.parse(String(dataJson))).toEqual([
      expect.objectContaining({
        action: 'salon.updated',
        record_id: salon.accountId,
        before: { currency: null, updated_at: testNow },
        after: { currency: 'EUR', updated_at },
      }),
    ]);
  });

  it.each(['receptionist', 'stylist', 'viewer'] as const)('are not for a %s to change', async (role) => {
    await using salon = await openTestSalon();
    const change = updateSalon(salon.as({ role }), { change: { currency: 'EUR' } });
    await expect(change).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
