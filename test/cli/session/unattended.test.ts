import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  for (const day of [27, 28]) await salon.book('ana', { start_time: `2026-11-${day}T15:00:00Z` });
});
afterAll(() => salon[Symbol.asyncDispose]());

/** Each asks at a terminal; what a pipe answers instead. */
const lines: readonly (readonly [what: string, line: () => string, exitCode: number, hint: RegExp])[] = [
  ['a confirmation', () => `clients delete ${salon.ids.joao}`, 8, /--yes/],
  ['a confirmation of many', () => 'clients delete --search Twin', 8, /--yes/],
  ['which person of two', () => 'clients card Bob Twin', 2, /phone number or ID of one of these/],
  ['which of two visits', () => 'appointments get Ana Costa', 2, /Use the ID of one of these/],
  ['who pays', () => 'payments record', 2, /--amount/],
  ['a booking', () => 'book Ana Costa', 2, /salon book|--service/],
];

describe.each(['true', '1'])('at a terminal with CI=%s', (value) => {
  it.each(lines)('%s is refused as in a pipe', async (_what, line, exitCode, hint) => {
    const words = line().split(' ');
    const inPipe = await salon.salon(words);
    const ran = await salon.salon(words, { env: { CI: value }, columns: 80, stdin: 'y\n' });
    expect(ran.stderr).toMatch(hint);
    expect(inPipe.stderr).toMatch(hint);
    expect([ran.exitCode, inPipe.exitCode]).toEqual([exitCode, exitCode]);
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});

it.each(['false', '0', ''])('is asked at a terminal with CI=%s', async (value) => {
  const words = ['clients', 'delete', salon.ids.joao, '--plain'];
  const ran = await salon.salon(words, { env: { CI: value }, columns: 80, stdin: 'n\n' });
  expect(ran.exitCode).toBe(8);
  expect(ran.stderr).toContain('Cancelled. Nothing was changed.');
});
