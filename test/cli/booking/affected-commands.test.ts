import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
/** The names of the visits, by ID. */
const names = new Map<string, string>();

/** It is Saturday 21 November 2026, 12:00 in Lisbon, where clocks go back on 31 October 2027 at 2:00. */
beforeAll(async () => {
  salon = await openPeopleSalon();
  const week = 'mon-sun 00:00-24:00';
  for (const id of [salon.quinn, salon.ravi]) await salon.client.stylists.update(id, { working_hours: week });
  const visits: readonly [string, string, object?][] = [
    ['over by now', '2026-11-21T10:00:00Z'],
    ['under way', '2026-11-21T11:30:00Z'],
    ['over before', '2026-11-21T14:00:00Z'],
    ['of another, over before', '2026-11-21T15:00:00Z', { stylist_id: salon.ravi }],
    ['reaches in', '2026-11-21T15:15:00Z'],
    ['of another', '2026-11-21T17:00:00Z', { stylist_id: salon.ravi }],
    ['cancelled', '2026-11-21T16:30:00Z', { status: 'cancelled' }],
    ['completed early', '2026-11-21T16:30:00Z', { status: 'completed', allow_early: true }],
    ['no show', '2026-11-21T18:00:00Z', { status: 'no_show', allow_early: true }],
    ['reaches out', '2026-11-21T18:30:00Z'],
    ['after it', '2026-11-21T19:30:00Z'],
    ['over midnight', '2026-11-26T23:30:00Z'],
    ['on Friday', '2026-11-27T15:00:00Z'],
    ['on Saturday, of another', '2026-11-28T00:00:00Z', { stylist_id: salon.ravi }],
    ['into the first 1:30', '2027-10-30T23:45:00Z'],
    ['in the first 1:30', '2027-10-31T00:45:00Z'],
    ['in the second 1:30', '2027-10-31T01:45:00Z'],
    ['at 3', '2027-10-31T03:00:00Z'],
  ];
  for (const [name, start_time, { status, allow_early, ...fields }] of visits.map(
    ([name, start, change = {}]) =>
      [name, start, change as Readonly<Record<'status' | 'allow_early', unknown>>] as const,
  )) {
    const id = await salon.book('ana', { start_time, allow_overlap: true, ...fields });
    names.set(id, name);
    if (status === 'cancelled') await salon.client.appointments.cancel(id);
    else if (status !== undefined)
      await salon.client.appointments.update(id, { status, allow_early } as object);
  }
});
afterAll(() => salon[Symbol.asyncDispose]());

const split = (line: string) =>
  (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));
const run = (line: string) => salon.salon(split(line));
const toNames = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id).toSorted();

/** The visits that a command lists, and those that each command it prints would select. */
async function selectAsPrinted(line: string) {
  const { stderr } = await run(line);
  const listed = stderr.split('\n').flatMap((row) => /^ {2}.* (apt_\w+)$/.exec(row)?.[1] ?? []);
  const commands = stderr.split('\n').flatMap((row) => /^To .* them.*: salon (.*)$/.exec(row)?.[1] ?? []);
  const selected: Record<string, readonly string[]> = {};
  for (const command of commands) {
    const flags = command.startsWith('call-list') ? ' --json' : ' --dry-run --json';
    const ran = await run(command + flags);
    expect([0, 3], `${command}\n${ran.stderr}`).toContain(ran.exitCode);
    selected[command] = toNames(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id));
  }
  return { listed: toNames(listed), commands, selected };
}

describe('every command that is printed', () => {
  it.each([
    ['close today 16-19 -n', ['of another', 'reaches in', 'reaches out'], 3],
    ['block Quinn today 16-19 -n', ['reaches in', 'reaches out'], 4],
    ['block Ravi today 16-19 -n', ['of another'], 4],
    ['block Quinn today 10-15 -n', ['over before', 'under way'], 4],
    [
      'close today -n',
      [
        ...['after it', 'of another', 'of another, over before', 'over before', 'reaches in', 'reaches out'],
        'under way',
      ],
      3,
    ],
    ['block Quinn fri -n', ['on Friday', 'over midnight'], 4],
    ['close 31 oct 2027 -n', ['at 3', 'in the first 1:30', 'in the second 1:30', 'into the first 1:30'], 3],
    ['close 31 oct 2027 1:30-3:00 -n', ['in the first 1:30', 'in the second 1:30', 'into the first 1:30'], 3],
    ['close 31 oct 2027 2:00-4:00 -n', ['at 3', 'in the second 1:30'], 3],
    [
      'stylists update Quinn --set "working_hours=thu 0-24, sat 0-24, sun 0-2" --dry-run',
      ['at 3', 'in the second 1:30', 'on Friday', 'over midnight'],
      1,
    ],
  ])('after %s selects the visits that are listed: %j', async (line, expected, count) => {
    const { listed, commands, selected } = await selectAsPrinted(line);
    expect(listed).toEqual(expected);
    expect(commands).toHaveLength(count);
    expect(selected).toEqual(Object.fromEntries(commands.map((command) => [command, expected])));
  });

  it('after new opening hours selects those that they leave out, not others of these days', async () => {
    await salon.client.salon.update({ opening_hours: 'mon-sun 10-20' });
    const { listed, commands, selected } = await selectAsPrinted(
      'settings set opening_hours "mon-thu 10-20, sat 10-18" --dry-run',
    );
    expect(listed).toEqual(['on Friday', 'reaches out']);
    expect(Object.values(selected)).toEqual([listed]);
    expect(commands).toHaveLength(1);
  });
});

describe('--where-overlapping', () => {
  it.each(['', ' --where-to tomorrow'])('without a beginning is refused:%s', async (others) => {
    const ran = await run(`appointments cancel --where-overlapping${others} --dry-run`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--where-overlapping needs --where-date or --where-from.');
  });

  it('says what is selected', async () => {
    const where = '--where-stylist Quinn --where-from 16:00 --where-to 19:00 --where-overlapping';
    const { stderr } = await run(`appointments cancel ${where} --dry-run`);
    expect(stderr).toContain('Quinn S. has 2 appointments in the time from Sat 21 Nov 16:00 until');
  });
});

describe('call-list --id', () => {
  it('names those that it leaves out', async () => {
    const idOf = (wanted: string) => [...names].find(([, name]) => name === wanted)?.[0] ?? '';
    const ran = await run(`call-list --id ${idOf('at 3')},${idOf('cancelled')},apt_unknown --json`);
    expect(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id)).toEqual([idOf('at 3')]);
    expect(ran.stderr).toContain(`over or not found in this time: ${idOf('cancelled')}, apt_unknown`);
  });
});
