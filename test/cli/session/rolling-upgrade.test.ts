import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openOtherClock, shiftedFrom } from '../../support/other-clock.ts';
import { openPeopleSalon, peopleNow, retireSampleStylists } from '../../support/people-salon.ts';

it.each(['of the service', 'with other rules'])(
  'processes with different clock rules, which take turns, fail no command: the first answer is of the process %s',
  async (first) => {
    await using salon = await openPeopleSalon();
    await retireSampleStylists(salon);
    await salon.client.salon.update({ time_zone: 'America/Bogota', opening_hours: 'mon-sun 0-24' });
    await using server = await openOtherClock(salon.env.SALON_BASE_URL);
    server.change = shiftedFrom('2026-12-01T00:00:00Z', 60);
    using machine = createMachine({ now: peopleNow });
    const run = (line: string, stdin = '') => machine.salon(line.split(' '), { stdin });
    await run(`auth login --base-url ${server.origin} --with-key`, salon.env.SALON_API_KEY);
    server.takesTurns = true;
    if (first === 'of the service') await fetch(server.origin);

    for (const words of ['clients list', 'whoami --check', 'today', 'clients list']) {
      const { exitCode, stderr } = await run(words);
      expect(exitCode, stderr).toBe(0);
      expect(stderr).not.toContain('changed');
    }
    const create = `appointments create --client ${salon.ids.ana} --stylist ${salon.quinn} --service Cut --duration 30 --start 2026-12-08T09:00`;
    expect(await run(create)).toMatchObject({ exitCode: 8, stdout: '' });
    const confirmed = await run(`${create} --yes --json`);
    expect(confirmed.exitCode, confirmed.stderr).toBe(0);
    expect(JSON.parse(confirmed.stdout)).toMatchObject({ start_time: '2026-12-08T14:00:00Z' });
    expect(confirmed.stderr).toContain('but 2026-12-08T13:00Z by those of the server');
  },
);
