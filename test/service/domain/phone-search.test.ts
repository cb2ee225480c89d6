import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, listClients } from '../../../src/service/domain/clients.ts';
import { updateSalon } from '../../../src/service/domain/salon-settings.ts';
import { openTestSalon } from '../../support/salon.ts';

type Salon = Awaited<ReturnType<typeof openTestSalon>>;

const salons: Salon[] = [];

async function openSalonIn(country: string | null, phones: readonly string[]): Promise<Salon> {
  const salon = await openTestSalon();
  salons.push(salon);
  await updateSalon(salon.as(), { change: { country } });
  for (const phone of phones) await addClient(salon.as(), { first_name: 'Ada', phone });
  return salon;
}

async function findPhones(salon: Salon, query: Parameters<typeof listClients>[1]): Promise<string[]> {
  const { dataJson } = await listClients(salon.as(), query);
  return JSON.parse(dataJson.toString()).map(({ phone }: { phone: string }) => phone);
}

afterAll(async () => {
  for (const salon of salons) await salon[Symbol.asyncDispose]();
});

describe('a phone number of a salon in Germany', () => {
  const stored = ['+493023125018', '030 23125018', '0049 30 23125018', '+49 (0)30 23125018', '493023125018'];
  const kept = ['+493023125018', '03023125018', '00493023125018', '+4903023125018', '493023125018'];
  let salon: Salon;

  beforeAll(async () => {
    salon = await openSalonIn('DE', [...stored, '+333023125018', '+493023125019', '+43303023125018']);
  });

  it.each([
    ...['+49 30 23125018', '+493023125018', '030 23125018', '030/23125018', '(030) 231 250-18'],
    ...['0049 30 23125018', '+49 (0)30 23125018', '+49 030 23125018', '493023125018', '3023125018'],
    ...['+49\u00a030\u202f23125018', '＋４９ ３０ ２３１２５０１８', '030–23125018'],
    ...['030 23125018 ext. 12', 'tel:+49-30-23125018;ext=12'],
  ])('is found by %s, in whatever form it is stored', async (phone) => {
    expect((await findPhones(salon, { phone })).toSorted()).toEqual(kept.toSorted());
    expect(await findPhones(salon, { q: phone })).toEqual(expect.arrayContaining(kept));
  });

  it.each(['+43 30 3023125018', '030 23125017'])('is not found by another one, %s', async (phone) => {
    const found = [...(await findPhones(salon, { phone })), ...(await findPhones(salon, { q: phone }))];
    expect(found.filter((one) => kept.includes(one))).toEqual([]);
  });
});

describe('a phone number stored as dialled at home', () => {
  it.each([
    ['ES', '912 345 678', '+34 912 345 678'],
    ['IT', '06 1234567', '+39 06 1234567'],
    ['US', '(202) 555-0123', '+1 202 555 0123'],
    ['US', '1 202 555 0123', '+1 202 555 0123'],
    ['HU', '06 1 234 5678', '+36 1 234 5678'],
    ['RU', '8 912 345-67-89', '+7 912 345 67 89'],
    ['LT', '(0-612) 34567', '+370 612 34567'],
    ['SG', '6521 8000', '+65 6521 8000'],
  ])('in %s, %s, is found by %s', async (country, phone, typed) => {
    const salon = await openSalonIn(country, [phone]);
    expect(await findPhones(salon, { q: typed })).toHaveLength(1);
    expect(await findPhones(salon, { phone: typed })).toHaveLength(1);
  });

  it('is found in a salon without a country', async () => {
    const salon = await openSalonIn(null, ['030 23125018']);
    expect(await findPhones(salon, { q: '+49 30 23125018' })).toHaveLength(1);
  });
});
