import { beforeEach, describe, expect, it } from 'vitest';
import { openPeopleSalon, retireSampleStylists } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let id: string;

/** Quinn does Balayage, Ravi cuts. Ana is booked for Balayage on Friday 27 November at 15:00 with Quinn. */
beforeEach(async () => {
  salon = await openPeopleSalon();
  await retireSampleStylists(salon);
  await salon.client.stylists.update(salon.quinn, { services: ['Balayage'] });
  await salon.client.stylists.update(salon.ravi, { services: ['Cut'] });
  id = await salon.book('ana');
  return () => salon[Symbol.asyncDispose]();
});

const doubt = 'Ravi does not do Balayage (who does: Quinn S.).';
const where = '--where-date 2026-11-27';

const lines = () => [
  `book ${salon.ids.bob} with Ravi for Balayage thu 11:00 --duration 1h`,
  `book ${salon.ids.bob} --stylist ${salon.ravi} --service balayage --start 2026-11-26T11:00 --duration 1h`,
  `move ${id} with Ravi`,
  `appointments update ${id} --stylist Ravi`,
  `appointments update ${id} --stylist ${salon.ravi}`,
  `appointments update ${where} --stylist Ravi --yes`,
];

describe('a stylist who does not do the service', () => {
  it.each([0, 1, 2, 3, 4, 5])('is named in a script, which goes on (line %i)', async (index) => {
    const ran = await salon.salon((lines()[index] ?? '').split(' '));
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^warning: .*Ravi does not do balayage \(who does: Quinn S\.\)\.$/im);
  });

  it.each([
    [0, '9'],
    [2, '5'],
    [3, 'n'],
  ])('is asked about at a terminal, and a no changes nothing (line %i)', async (index, answer) => {
    const words = (lines()[index] ?? '').split(' ');
    const ran = await salon.salon([...words, '--plain'], { columns: 80, stdin: `${answer}\n` });
    expect(ran.exitCode).toBe(8);
    expect(ran.stderr).toContain(doubt);
    expect(ran.requests.filter((request) => /^(POST|PUT|PATCH) (?!dry-run)/.test(request))).toEqual([]);
  });

  it.each([
    ['has no list', [], 'Balayage'],
    ['lists it in another spelling', ['BALAYÁGE'], 'Balayage'],
    ['does what is on no list', ['Cut'], 'Perm'],
  ])('is nobody who %s', async (_, services, service) => {
    await salon.client.stylists.update(salon.ravi, { services });
    const line = ['book', salon.ids.bob, '--stylist', 'Ravi', '--service', service, '--start', 'thu 11:00'];
    const ran = await salon.salon([...line, '--duration', '1h']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('does not do');
  });

  it('is the reason why salon free finds no time', async () => {
    const ran = await salon.salon('free thu with Ravi for Balayage --duration 1h'.split(' '));
    expect(ran).toMatchObject({ exitCode: 0, stderr: `${doubt}\n` });
    const both = await salon.salon('free thu --stylist Ravi --stylist Quinn --service Balayage'.split(' '));
    expect(both.stderr).not.toContain('does not do');
  });

  it('is named once for each of many appointments', async () => {
    await salon.book('bob', { start_time: '2026-11-27T09:00:00Z', service: 'Cut' });
    const ran = await salon.salon(`appointments update ${where} --stylist Ravi --dry-run`.split(' '));
    expect(ran.stderr).toContain(
      'warning: 1 appointment will be with a stylist who does not do the service.',
    );
    expect(ran.stderr).toContain(`warning: Ana Costa, Fri 27 Nov 15:00: ${doubt}`);
    expect(ran.stderr).not.toContain('Bob Twin');
  });
});
