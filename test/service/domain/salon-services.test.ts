import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import {
  createService,
  deleteService,
  getService,
  listServices,
  updateService,
} from '../../../src/service/domain/salon-services.ts';
import { updateSalon } from '../../../src/service/domain/salon-settings.ts';
import { createStylist, getStylist, listStylists } from '../../../src/service/domain/stylists.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';

const add = (salon: TestSalon, body: Partial<BodyOf<'createService'>> = {}) =>
  createService(salon.as(), { name: 'Cut', duration: 30, ...body });

const setCurrency = (salon: TestSalon) => updateSalon(salon.as(), { change: { currency: 'EUR' } });

const taken = {
  code: 'validation_failed',
  violations: [{ pointer: '/name', code: 'taken', detail: expect.stringContaining('already') }],
};

describe('a service', () => {
  it('has a duration, a price of its own or none, and is active', async () => {
    await using salon = await openTestSalon();
    await setCurrency(salon);
    const made = await add(salon, { price: 4500 });
    expect(made).toEqual({
      id: expect.stringMatching(/^svc_[0-9a-hjkmnp-tv-z]{26}$/),
      ...{ name: 'Cut', duration: 30, price: 4500, active: true, created_at: testNow, updated_at: testNow },
    });
    expect(await add(salon, { name: 'Advice', duration: 15 })).toMatchObject({ price: null });
    const change = { price: null, active: false };
    expect(await updateService(salon.as(), made.id, { change })).toMatchObject({ name: 'Cut', ...change });
    const { dataJson, total } = await listServices(salon.as(), { sort: '-updated_at' });
    expect([total, JSON.parse(String(dataJson))[0]]).toEqual([2, await getService(salon.as(), made.id)]);
  });

  it('has no price while the salon has no currency', async () => {
    await using salon = await openTestSalon();
    const refused = { code: 'salon_settings_missing', members: { missing: ['currency'] } };
    await expect(add(salon, { price: 0 })).rejects.toMatchObject(refused);
    const { id } = await add(salon);
    await expect(updateService(salon.as(), id, { change: { price: 100 } })).rejects.toMatchObject(refused);
  });

  it.each([
    ['case', 'CUT & Blow-dry'],
    ['accents', 'Cút & blow-dry'],
    ['width and blanks', ' Ｃｕｔ  &  Blow-dry'],
  ])('cannot have the name of another one in other %s', async (_what, name) => {
    await using salon = await openTestSalon();
    await add(salon, { name: 'Cut & Blow-dry' });
    const { id } = await add(salon, { name: 'Colour' });
    await expect(add(salon, { name })).rejects.toMatchObject(taken);
    await expect(updateService(salon.as(), id, { change: { name } })).rejects.toMatchObject(taken);
    expect((await listServices(salon.as(), {})).total).toBe(2);
  });

  it('can get its own name in another spelling, and that of a deleted one', async () => {
    await using salon = await openTestSalon();
    const { id } = await add(salon);
    expect(await updateService(salon.as(), id, { change: { name: 'CUT' } })).toMatchObject({ name: 'CUT' });
    await deleteService(salon.as(), id);
    expect(await add(salon)).toMatchObject({ name: 'Cut' });
  });

  it.each([
    ['without letters', "' '"],
    ['that is too long without case and accents', 'ß'.repeat(200)],
    ['with a NUL', 'Cut\0'],
  ])('is refused with a name %s', async (_what, name) => {
    await using salon = await openTestSalon();
    await expect(add(salon, { name })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/name', code: 'invalid_format' }],
    });
  });

  it('is added once by simultaneous requests', async () => {
    await using salon = await openTestSalon();
    const names = ['Cut', 'cut', 'CUT', 'Cút', 'cut '];
    const results = await Promise.allSettled(names.map((name) => add(salon, { name })));
    expect(results.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      ...names.slice(1).map(() => 'rejected'),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(taken);
    }
    expect((await listServices(salon.as(), {})).total).toBe(1);
  });

  it('of another account is not found, and does not take its name', async () => {
    await using salon = await openTestSalon();
    const { id } = await add(salon);
    const other = (await salon.openNeighbour()).as();
    await expect(getService(other, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await createService(other, { name: 'Cut', duration: 20 })).toMatchObject({ name: 'Cut' });
  });
});

describe('a service that is renamed', () => {
  it('is renamed for the stylists who offer it, once for each', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const { id } = await add(salon);
    const offer = async (first_name: string, services: string[]) =>
      (await createStylist(context, { first_name, services })).id;
    const [mia, theo] = [await offer('Mia', ['Colour', 'CUT', 'Haircut']), await offer('Theo', ['Colour'])];
    const { version } = await listStylists(context, {});
    await updateService(context, id, { change: { name: 'Haircut' } });
    expect(await getStylist(context, mia)).toMatchObject({ services: ['Colour', 'Haircut'] });
    expect((await getStylist(context, mia)).updated_at > testNow).toBe(true);
    expect(await getStylist(context, theo)).toMatchObject({ services: ['Colour'], updated_at: testNow });
    expect((await listStylists(context, {})).version).toBe(version + 1);
    const { dataJson } = await listAuditLog(context, { action: 'stylist.updated' });
    expect(JSON.parse(String(dataJson))).toEqual([
      expect.objectContaining({
        record_id: mia,
        after: expect.objectContaining({ services: ['Colour', 'Haircut'] }),
      }),
    ]);
  });

  it('or deleted changes no appointment, and leaves a sound database', async () => {
    await using salon = await openTestSalon();
    const { id } = await add(salon);
    await salon.addAppointment({ service: 'Cut' });
    const read = () => salon.store.database.reader.run('select record from appointments', []);
    const before = await read();
    await updateService(salon.as(), id, { change: { name: 'Haircut' } });
    await deleteService(salon.as(), id);
    expect(await read()).toEqual(before);
    const checks = await checkDatabase(salon.store.location);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
