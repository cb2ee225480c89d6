import { describe, expect, it } from 'vitest';
import { saveSalonSettings } from '../../../src/service/db/identity/accounts.ts';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import { getAvailability } from '../../../src/service/domain/availability.ts';
import {
  getSalon,
  readSettings,
  toSettingsVersion,
  updateSalon,
} from '../../../src/service/domain/salon-settings.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';

const nothingSet = {
  name: 'Test salon',
  time_zone: null,
  currency: null,
  country: null,
  opening_hours: null,
  phone: null,
  address: null,
  clock: null,
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
    const clock = expect.objectContaining({ until: '2029-01-29T00:00:00Z' });
    expect(await updateSalon(salon.as(), { change })).toEqual({ ...nothingSet, ...set, clock, updated_at });
    await updateSalon(salon.as(), { change: { phone: null, name: null } });
    expect(await getSalon(salon.as())).toMatchObject({
      name: 'Test salon',
      phone: null,
      time_zone: 'Europe/Berlin',
    });
    const neighbour = await salon.openNeighbour();
    expect(await getSalon(neighbour.as())).toEqual(nothingSet);
  });

  it('come with the offsets of the zone for 800 days, which are not stored', async () => {
    await using salon = await openTestSalon();
    const environment = { ...salon.environment, tzVersion: '2026c' };
    const context = { ...salon.as(), environment };
    const changed = await updateSalon(context, { change: { time_zone: 'Europe/Berlin' } });
    const clock = {
      tz_version: '2026c',
      until: '2029-01-29T00:00:00Z',
      offsets: [
        { from: '2026-11-21T00:00:00Z', offset_minutes: 60 },
        { from: '2027-03-28T01:00:00Z', offset_minutes: 120 },
        { from: '2027-10-31T01:00:00Z', offset_minutes: 60 },
        { from: '2028-03-26T01:00:00Z', offset_minutes: 120 },
        { from: '2028-10-29T01:00:00Z', offset_minutes: 60 },
      ],
    };
    expect(changed.clock).toEqual(clock);
    expect(await getSalon(context)).toEqual(changed);
    // A whole record that is sent back changes nothing.
    expect(await updateSalon(context, { change: changed })).toEqual(changed);
    const stored = await readSettings(salon.store.database.reader, salon.accountId);
    expect(Object.keys(stored)).not.toContain('clock');
  });

  it('have a version of two halves: what others keep of them, and the clock of a year', () => {
    const versionOf = (settings: object, now = testNow) =>
      toSettingsVersion({ time_zone: 'Europe/Berlin', ...settings }, { now: () => new Date(now) });
    const version = versionOf({});
    const [settings = '', clock = ''] = version.split('.');
    for (const others of [{ phone: '+4930123456' }, { name: 'Lumen' }])
      expect(versionOf(others)).toBe(version);
    expect(versionOf({}, '2026-12-31T23:59:59Z')).toBe(version);
    expect(versionOf({ currency: 'EUR' })).toMatch(new RegExp(`^(?!${settings}).+\\.${clock}$`));
    expect(versionOf({}, '2027-01-01T00:00:00Z')).toMatch(new RegExp(`^${settings}\\.(?!${clock}).`));
  });

  it('come without offsets where this process does not know the zone', async () => {
    await using salon = await openTestSalon();
    const stored = JSON.stringify({
      ...nothingSet,
      time_zone: 'Europe/Atlantis',
      opening_hours: 'mon-sun 0-24',
    });
    await salon.store.database.transaction('service', (tx) => saveSalonSettings(tx, salon.accountId, stored));
    expect(await getSalon(salon.as())).toMatchObject({
      time_zone: 'Europe/Atlantis',
      clock: { offsets: [], until: '2029-01-29T00:00:00Z' },
    });
    const free = { from: '2026-12-01', to: '2026-12-01', duration: 30 };
    await expect(getAvailability(salon.as(), free)).rejects.toMatchObject({
      code: 'salon_settings_missing',
      message: 'The service does not know the time zone Europe/Atlantis.',
    });
    expect(await updateSalon(salon.as(), { change: { phone: '+49 30 123456' } })).toMatchObject({
      phone: '+4930123456',
    });
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
