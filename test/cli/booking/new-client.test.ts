import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  for (const day of ['16', '17', '18']) {
    await salon.book('joao', { start_time: `2026-11-${day}T10:00:00Z`, duration: 90 });
  }
  await salon.book('joao', { start_time: '2026-11-27T15:00:00Z' });
});
afterAll(() => salon[Symbol.asyncDispose]());

describe('salon book --new-client in a script', () => {
  it('adds a new client with the booking', async () => {
    const argv = ['--new-client', 'Rosa de la Cruz', '--phone', '+351 910 000 099', 'thu', '15:00'];
    const ran = await salon.salon(['book', ...argv, '--stylist', 'Ravi', '--service', 'Balayage', '--json']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const { client_id } = JSON.parse(ran.stdout);
    expect(await salon.client.clients.get(client_id)).toMatchObject({
      first_name: 'Rosa',
      last_name: 'de la Cruz',
      phone: '+351910000099',
    });
    expect(ran.stderr).toContain(`Added client Rosa de la Cruz (${client_id}).`);
  });

  it('points out who has the phone number of a new client', async () => {
    const argv = ['--new-client', 'Ana C', '--phone', '912 345 678', 'thu', '18:00'];
    const ran = await salon.salon(['book', ...argv, '--stylist', 'Ravi', '--service', 'Balayage']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`warning: Ana Costa (${salon.ids.ana}) has the same phone number.`);
  });

  it('adds a client without a word with --allow-duplicate', async () => {
    const argv = ['--new-client', 'Ana Costa', '--phone', '00351 912 345 678', 'thu', '11:30'];
    const what = ['--stylist', 'Ravi', '--service', 'Cut', '--duration', '15m', '--json'];
    const ran = await salon.salon(['book', ...argv, ...what, '--allow-duplicate']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('warning');
    await salon.client.clients.delete(JSON.parse(ran.stdout).client_id, { force: true });
  });

  it('adds nobody where the booking is refused', async () => {
    const argv = [
      '--new-client',
      'Twice Added',
      'fri',
      '15:30',
      '--stylist',
      'Quinn',
      '--service',
      'Balayage',
    ];
    const ran = await salon.salon(['book', ...argv]);
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain('is booked');
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual(['POST dry-run']);
    expect((await salon.salon(['clients', 'list', '--search', 'Twice Added', '--json'])).stdout).toBe('[]\n');
  });

  it('removes the added client where a booking is refused that could not be checked before', async () => {
    const key = await salon.addKey(['clients:write', 'appointments:write']);
    const argv = ['--new-client', 'Once Added', '--start', '2026-11-27T15:30', '--stylist', salon.quinn];
    const ran = await salon.salon(['book', ...argv, '--service', 'Cut', '--duration', '30m'], {
      env: { SALON_API_KEY: key },
    });
    expect(ran.exitCode, ran.stderr).toBe(7);
    const writes = ran.requests.filter((request) => !request.startsWith('GET'));
    expect(writes).toEqual(['POST clients', 'POST appointments', 'DELETE clients']);
    expect((await salon.salon(['clients', 'list', '--search', 'Once Added', '--json'])).stdout).toBe('[]\n');
  });
});
