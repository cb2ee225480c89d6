import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let id: string;

/** It is Saturday 21 November 2026, noon; Quinn works on weekdays. */
beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.stylists.update(salon.quinn, { working_hours: 'mon-fri 9-18' });
  id = await salon.book('ana');
});
afterAll(() => salon[Symbol.asyncDispose]());

const update = (flags: readonly string[], answer?: string) =>
  salon.salon(['appointments', 'update', id, '--json', '--plain', ...flags], {
    ...(answer === undefined ? {} : { columns: 80, stdin: `${answer}\n` }),
  });
const startOf = async () => (await salon.client.appointments.get(id)).start_time;

describe('moving an appointment', () => {
  it.each([
    [
      'outside the hours of its stylist',
      ['--start', 'mon 17:30'],
      "17:30–18:30 is outside Quinn S.'s hours on Mondays (09:00–18:00).",
    ],
    ['to a day off', ['--start', 'sun 10:00'], 'Quinn S. does not work on Sundays.'],
    ['by its duration alone', ['--duration', '4h'], "15:00–19:00 is outside Quinn S.'s hours on Fridays"],
    ['into the past', ['--start', 'yesterday 10:00'], 'Fri 20 Nov 10:00 is in the past.'],
  ])('%s is confirmed at a terminal', async (_, flags, doubt) => {
    const before = await startOf();
    const refused = await update(flags, 'n');
    expect(refused).toMatchObject({ exitCode: 8, stdout: '' });
    expect(refused.stderr).toContain(`${doubt}`);
    expect(await startOf()).toBe(before);
  });

  it('is done once it is confirmed, and needs no question within the hours', async () => {
    expect((await update(['--start', 'mon 17:30'], 'y')).exitCode).toBe(0);
    expect(await startOf()).toBe('2026-11-23T17:30:00Z');
    expect((await update(['--start', 'mon 17:00'], 'n')).exitCode).toBe(0);
    expect(await startOf()).toBe('2026-11-23T17:00:00Z');
  });

  it('is not asked about in a script, which is warned of the past without a request', async () => {
    const ran = await update(['--start', 'sun 10:00']);
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('does not work') });
    const past = await update(['--start', 'yesterday 10:00']);
    expect(past).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('is in the past') });
    expect(past.requests).toEqual(ran.requests);
  });
});
