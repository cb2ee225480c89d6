import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { openPeopleSalon, peopleNow, readRequests } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
beforeAll(async () => {
  salon = await openPeopleSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

/** A machine with a profile, made while the salon was in a time zone. */
async function openProfile(timeZone: string | null, machineZone = 'UTC') {
  await salon.client.salon.update({ time_zone: timeZone, opening_hours: null });
  const machine: Machine = createMachine({ now: peopleNow, timeZone: machineZone });
  const login = ['auth', 'login', '--base-url', salon.env.SALON_BASE_URL, '--with-key'];
  const { exitCode, stderr } = await machine.salon(login, { stdin: salon.env.SALON_API_KEY });
  expect(exitCode, stderr).toBe(0);
  return {
    async run(words: string, options: Parameters<Machine['salon']>[1] = {}) {
      const ran = await machine.salon([...words.split(' '), '--trace', 'requests.har'], options);
      return { ...ran, requests: readRequests(join(machine.home, 'requests.har')) };
    },
    [Symbol.dispose]: () => machine[Symbol.dispose](),
  };
}

const startOf = async (id: string) => (await salon.client.appointments.get(id)).start_time;

const booking = (id = '') =>
  `appointments create --set client_id=${salon.ids.ana} --set stylist_id=${salon.quinn} --set service=Cut --set duration=30 --set start_time=${id} --yes --json --allow-overlap`;

describe('the time zone of the salon', () => {
  it.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
    'counts for a booking, whatever TZ is, as with %s',
    async (zone) => {
      using profile = await openProfile('Europe/Berlin', zone);
      const booked = await profile.run(
        'book Ana Costa with Quinn for Balayage 2026-11-24 10:00 --duration 30 --yes --json --allow-overlap',
      );
      expect(booked.exitCode, booked.stderr).toBe(0);
      expect(JSON.parse(booked.stdout)).toMatchObject({ start_time: '2026-11-24T09:00:00Z' });
    },
  );
});

describe('settings that a colleague has changed', () => {
  it('are used by the next command, also if that begins with a write', async () => {
    using profile = await openProfile('Europe/Berlin');
    await salon.client.salon.update({ time_zone: 'America/New_York' });
    const first = await profile.run(booking('2026-11-24T10:00'));
    expect(first.exitCode, first.stderr).toBe(0);
    const { id } = JSON.parse(first.stdout);
    expect(await startOf(id)).toBe('2026-11-24T15:00:00Z');
    expect(first.stderr).toContain(
      "The salon's time zone has changed from Europe/Berlin to America/New_York.",
    );
    expect(first.requests.filter((one) => one === 'POST appointments')).toHaveLength(2);
    const second = await profile.run(booking('2026-11-24T11:00'));
    expect(second.requests).toEqual(['POST appointments']);
    expect(second.stderr).not.toContain('time zone');
  });

  it('cost no request where nothing has changed', async () => {
    using profile = await openProfile('Europe/Berlin');
    expect((await profile.run('clients list --json')).requests).toEqual(['GET clients']);
    expect((await profile.run(booking('2026-11-24T10:00'))).requests).toEqual(['POST appointments']);
  });
});
