import { beforeEach, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let appointment: string;

/** Ana is booked on Friday at 15:00 with Quinn. */
beforeEach(async () => {
  salon = await openPeopleSalon();
  await salon.client.stylists.update(salon.quinn, { working_hours: 'mon-sat 09:00-18:00' });
  appointment = await salon.book('ana');
  return () => salon[Symbol.asyncDispose]();
});

const run = (line: string) => salon.salon(line.split(' '));

describe('salon block', () => {
  it('lists the appointments that stay booked, with phone numbers', async () => {
    const { exitCode, stderr } = await run('block Quinn fri sick');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('cannot be booked on Friday 27 November 2026 (sick).');
    expect(stderr).toMatch(new RegExp(`Fri 27 Nov 15:00 {2}Ana Costa {2}\\S.* ${appointment}\n`));
    expect(await salon.client.appointments.get(appointment)).toMatchObject({ status: 'confirmed' });
  });

  it('keeps the time free of offers and bookings until it is unblocked', async () => {
    expect(await run('block Quinn thu 10-12 lunch')).toMatchObject({ exitCode: 0 });
    const starts = async () => {
      const { stdout } = await run('free Quinn thu --duration 60m -f csv -c start_time');
      return stdout.split(/\r?\n/).filter((line) => /T1[01]:/.test(line));
    };
    expect(await starts()).toEqual([]);
    const refused = await run('book Ana Costa with Quinn --service Cut --duration 30 thu 11:00 --yes');
    expect(refused).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('--allow-blocked') });
    expect(await run('unblock Quinn thu --yes')).toMatchObject({ exitCode: 0 });
    expect(await starts()).not.toEqual([]);
  });

  it('of the whole salon is closing it', async () => {
    expect(await run('close 2026-12-25')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run('blocks list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ stylist_name: 'everybody', reason: 'closed' }]);
  });

  it('is not taken back without a yes', async () => {
    await run('block Quinn thu holiday');
    expect((await run('unblock Quinn thu')).exitCode).not.toBe(0);
    expect(JSON.parse((await run('blocks list --json')).stdout)).toHaveLength(1);
  });

  it.each([
    ['block Quinn', 2, 'does not say when'],
    ['block 25 dec', 2, 'Whose time?'],
    ['block Quinn sunny thu', 6, 'No stylist matches "Quinn sunny"'],
    ['close Quinn thu', 2, 'Closing is for the whole salon'],
    ['block Quinn thu 12-11', 2, 'ends before it starts'],
    ['block Quinn 1 jan 2027 to 1 feb 2028', 1, 'at most 366 days'],
    ['unblock Quinn thu --yes', 6, 'Nothing is blocked'],
  ])('%s is refused', async (line, exitCode, message) => {
    const ran = await run(line);
    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(exitCode);
    expect(JSON.parse((await run('blocks list --json')).stdout)).toEqual([]);
  });
});
