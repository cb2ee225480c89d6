import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
beforeAll(async () => {
  salon = await openPeopleSalon();
  for (const [who, stylist, amount] of [
    ['ana', salon.quinn, 5000],
    ['joao', salon.ravi, 3000],
  ] as const) {
    const start_time = '2026-11-20T15:00:00Z';
    const appointment_id = await salon.book(who, { stylist_id: stylist, start_time });
    await salon.client.payments.create({ appointment_id, amount, currency: 'EUR', method: 'card' });
  }
});
afterAll(() => salon[Symbol.asyncDispose]());

const read = async (line: string) => {
  const ran = await salon.salon(['report', ...line.split(' '), '--json']);
  expect(ran.exitCode, ran.stderr).toBe(0);
  return { rows: JSON.parse(ran.stdout), requests: ran.requests };
};

describe('a report of our service', () => {
  it('takes stylists and clients by name', async () => {
    expect((await read('revenue today --stylist quinn')).rows).toMatchObject([
      { stylist_name: expect.stringContaining('Quinn'), revenue: 5000 },
    ]);
    expect((await read('revenue today --client joao@silva.example')).rows).toMatchObject([
      { stylist_name: expect.stringContaining('Ravi'), revenue: 3000 },
    ]);
    expect((await read('revenue today --stylist Quinn --stylist Ravi')).rows).toHaveLength(2);
  });

  it.each([
    ['Quinn today', 5000],
    ['today ravi', 3000],
    ['today with Ravi', 3000],
    ['today by service Ravi', 3000],
    ['Quinn --period today', 5000],
  ])('takes the name of a stylist in words: salon report revenue %s', async (words, revenue) => {
    expect((await read(`revenue ${words}`)).rows).toMatchObject([{ revenue }]);
  });

  it.each([
    ['revenue octobre', 2, '"octobre" is not a period.'],
    ['revenue Nobody today', 6, 'No stylist matches "Nobody".'],
    ['revenue a today', 2, 'stylists match "a".'],
    ['revenue today Ravi --period today', 2, 'Pass the period only once'],
  ])('exits with a reason: salon report %s', async (words, exitCode, message) => {
    const ran = await salon.salon(['report', ...words.split(' ')]);
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('groups revenue by client, with names and the largest first', async () => {
    expect((await read('revenue today --by client')).rows).toMatchObject([
      { client_name: expect.stringContaining('Ana'), revenue: 5000, payments: 1 },
      { client_name: expect.stringMatching(/Jo/), revenue: 3000 },
    ]);
    expect((await read('revenue today --by client --stylist ravi')).rows).toMatchObject([{ revenue: 3000 }]);
  });

  it('has a client in a report of first visits once, under the first stylist, and counts who came back', async () => {
    const visit = async (start_time: string, stylist_id: string) => {
      const id = await salon.book('otherBob', { stylist_id, start_time });
      await salon.client.appointments.update(id, { status: 'completed' });
    };
    await visit('2026-10-05T09:00:00Z', salon.quinn);
    await visit('2026-11-02T09:00:00Z', salon.ravi);
    const first = { stylist_name: expect.stringContaining('Quinn'), clients: 1, returned: 1, open: 0 };
    expect((await read('first-visits october')).rows).toMatchObject([first]);
    expect((await read('first-visits november --stylist ravi')).rows).toEqual([]);
  });

  it('lists clients by their no-shows from --min-no-shows on', async () => {
    for (const start_time of ['2026-11-03T09:00:00Z', '2026-11-04T09:00:00Z']) {
      const id = await salon.book('ana', { stylist_id: salon.quinn, start_time });
      await salon.client.appointments.update(id, { status: 'no_show' });
    }
    const rows = [{ client_name: expect.stringContaining('Ana'), no_shows: 2 }];
    expect((await read('no-shows november --by client')).rows).toMatchObject(rows);
    expect((await read('no-shows november --by client --min-no-shows 2')).rows).toMatchObject(rows);
    expect((await read('no-shows november --by client --min-no-shows 3')).rows).toEqual([]);
  });

  it('reads lists alone, each once', async () => {
    const { requests } = await read('revenue today --by service');
    expect(requests.sort()).toEqual(['GET appointments', 'GET me', 'GET payments', 'GET stylists']);
    expect((await read('revenue today --by month')).requests.sort()).toEqual([
      'GET me',
      'GET payments',
      'GET stylists',
    ]);
  });

  it.each([
    [2, 'revenue --client Bob', '2 clients match "Bob"'],
    [6, 'revenue --client Nobody', 'No client matches "Nobody".'],
    [6, `revenue --stylist sty_${'0'.repeat(26)}`, `sty_${'0'.repeat(26)}`],
    [6, `no-shows --client cli_${'0'.repeat(26)}`, `cli_${'0'.repeat(26)}`],
    [2, `revenue --client sty_${'0'.repeat(26)}`, 'client'],
  ])('exits %i and prints no figures: salon report %s', async (exitCode, line, message) => {
    const ran = await salon.salon(['report', ...line.split(' ')]);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});
