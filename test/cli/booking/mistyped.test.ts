import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.stylists.update(salon.ravi, { working_hours: 'mon-sat 09:00-18:00' });
  await salon.book('joao', { start_time: '2026-11-16T10:00:00Z', duration: 90 });
  await salon.book('bob');
});
afterAll(() => salon[Symbol.asyncDispose]());

const book = '1';

describe('mistyped words', () => {
  it('of a name have the client who is nearly called so as the first choice', async () => {
    const ran = await salon.talk('book ana csota with Ravi for Balayage mon 30 nov 9:00', ['1', book]);
    expect(ran.stderr).toContain('No client matches "ana csota". Did you mean Ana Costa?');
    expect(ran.stderr).toMatch(/^1: Ana Costa, [^\n]*\n2: New client "ana csota"$/m);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ client_id: salon.ids.ana });
  });

  it.each([
    ['book Ana Costa with Ravi cut tomorow afternoon', 6, 'No stylist matches "Ravi cut tomorow".'],
    ['book Ana Costa tomorow with Ravi for Cut 15:00', 6, 'No client matches "Ana Costa tomorow".'],
    ['book Ana Costa with Ravi for tomorow 15:00', 2, '"tomorow" is not a service'],
    ['move Bob Twin with Ravi tomorow 16:00', 6, 'No stylist matches "Ravi tomorow".'],
  ])('about a day are refused, and nothing is booked: %s', async (words, exitCode, message) => {
    const ran = await salon.talk(
      words,
      Array.from({ length: 9 }, () => '1'),
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr.replaceAll('\\', '')).toContain(message);
    expect(ran.stderr).not.toMatch(/To continue|2026-11-21/);
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});
