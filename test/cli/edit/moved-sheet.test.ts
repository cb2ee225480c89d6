import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openPeopleSalon, peopleNow } from '../../support/people-salon.ts';

// Three appointments at 10:00, 11:00 and 12:00 in Berlin, in sheets that another profile reads in New York.

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let machine: Machine;
beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ time_zone: 'Europe/Berlin', opening_hours: 'mon-sun 0-24' });
  machine = createMachine({ now: peopleNow });
  const login = ['auth', 'login', '--base-url', salon.env.SALON_BASE_URL, '--with-key'];
  await machine.salon(login, { stdin: salon.env.SALON_API_KEY });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await salon[Symbol.asyncDispose]();
});

const starts = ['2026-12-02T09:00:00Z', '2026-12-02T10:00:00Z', '2026-12-02T11:00:00Z'];
let ids: string[];
beforeEach(async () => {
  ids = await Promise.all(starts.map((start_time) => salon.book('ana', { start_time, allow_overlap: true })));
});

const readStarts = () =>
  Promise.all(ids.map(async (id) => (await salon.client.appointments.get(id)).start_time));

/** Updates the appointments from a sheet of starts. */
async function update(cells: readonly string[], more: readonly string[] = [], options: RunOptions = {}) {
  const lines = cells.map((cell, index) => `${ids[index]},${cell},Window,yes`);
  writeFileSync(join(machine.home, 'a.csv'), ['id,start_time,notes,allow_overlap', ...lines].join('\n'));
  return machine.salon(['appointments', 'update', '--file', 'a.csv', ...more], options);
}

const berlin = ['2.12.2026 10:00', '02.12.2026 11:00', '2026-12-02 12:00'];
const reads = async (zone: string) => {
  const profile = JSON.parse((await machine.salon(['profiles', 'list', '--json'])).stdout)[0].name;
  await machine.salon(['profiles', 'set', profile, 'time_zone', zone]);
};

describe('a sheet that is read in another time zone than it was written in', () => {
  beforeAll(() => reads('America/New_York'));
  const fact =
    "All 3 local starts would be 6 h later, read in America/New_York (from the profile): the file looks written in another time zone, such as Europe/Berlin (the salon's).";

  it('is refused without --yes, and says how to read it', async () => {
    const ran = await update(berlin);
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain(fact);
    expect(ran.stderr).toMatch(/To read it in that one: [A-Z_]+=Europe\/Berlin\. Move them\?/);
    expect(await readStarts()).toEqual(starts);
  });

  it('is applied with --yes, and the move is said', async () => {
    const ran = await update(berlin, ['--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(fact);
    expect(await readStarts()).toEqual([
      '2026-12-02T15:00:00Z',
      '2026-12-02T16:00:00Z',
      '2026-12-02T17:00:00Z',
    ]);
  });

  it.each([
    [['n'], 8],
    [['y', 'y'], 0],
    [['y', 'n'], 8],
  ])('is asked at a terminal, before the changes are confirmed: %j', async (answers, exitCode) => {
    const stdin = answers.map((answer) => `${answer}\n`).join('');
    const ran = await update(berlin, ['--plain'], { columns: 400, stdin });
    expect(ran.stderr).toContain(fact);
    expect(ran.exitCode, ran.stderr).toBe(exitCode);
    expect((await readStarts())[0]).toBe(exitCode === 0 ? '2026-12-02T15:00:00Z' : starts[0]);
  });

  it('is said by a dry run, and asked again when its saved plan is applied', async () => {
    const dry = await update(berlin, ['--dry-run']);
    expect(dry.exitCode, dry.stderr).toBe(0);
    expect(dry.stderr).toContain(fact);
    expect((await update(berlin, ['--plan-file', 'plan.json'])).exitCode).toBe(0);
    const applied = await machine.salon(['jobs', 'apply', 'plan.json']);
    expect(applied).toMatchObject({ exitCode: 8, stderr: expect.stringContaining(fact) });
  });

  it('is noticed with one row, where the time is right in a zone at hand', async () => {
    const ran = await update(berlin.slice(0, 1));
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain('The only local start would be 6 h later, read in America/New_York');
  });

  it('names no zone where none at hand fits', async () => {
    const ran = await update(['2.12.2026 11:00', '2.12.2026 12:00', '2.12.2026 13:00']);
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain('would be 7 h later');
    expect(ran.stderr).toContain('written in another time zone. To read it in that one, set ');
  });

  it('is no question where every start is kept', async () => {
    const ran = await update(['2.12.2026 4:00', '2.12.2026 5:00', '2.12.2026 6:00'], ['--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toMatch(/local starts?/);
    expect(await readStarts()).toEqual(starts);
  });
});

describe('a sheet in the zone of the salon is no question', () => {
  beforeAll(() => reads('Europe/Berlin'));

  it.each([
    ['one appointment moves by an hour', ['2.12.2026 11:00']],
    ['one of them stays', ['2.12.2026 10:00', '2.12.2026 12:00', '2.12.2026 13:00']],
    ['they move by different amounts', ['2.12.2026 11:00', '2.12.2026 13:00', '2.12.2026 14:00']],
    ['they move by days', ['5.12.2026 10:00', '5.12.2026 11:00', '5.12.2026 12:00']],
    [
      'every start has an offset',
      ['2026-12-02T10:00:00Z', '2026-12-02T11:00:00Z', '2026-12-02T13:00:00+01:00'],
    ],
  ])('where %s', async (_what, cells) => {
    const ran = await update(cells, ['--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toMatch(/local starts?/);
    expect(await readStarts()).not.toEqual(starts);
  });

  it('where one row that changes nothing keeps its start', async () => {
    await salon.client.appointments.update(ids[0] ?? '', { notes: 'Window' });
    const ran = await update(['2.12.2026 10:00', '2.12.2026 12:00', '2.12.2026 13:00'], ['--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toMatch(/local starts?/);
  });

  it('where a selection is moved', async () => {
    const [first, last] = ['2026-12-02T09:00:00Z', '2026-12-02T12:00:00Z'];
    const range = ['--where-from', first, '--where-to', last, '--start', '+1d', '--allow-overlap', '--yes'];
    const ran = await machine.salon(['appointments', 'update', ...range]);
    expect(ran.stderr).not.toMatch(/local starts?/);
  });
});
