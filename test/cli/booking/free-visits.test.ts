import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVisitSalon } from '../../support/visit-salon.ts';

let salon: Awaited<ReturnType<typeof openVisitSalon>>;

beforeAll(async () => {
  salon = await openVisitSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

const book = (line: string) => salon.salon(['book', ...line.split(' ')]);

describe('salon free, for several appointments', () => {
  const quarters = Array.from({ length: 36 }, (_, index) => 9 * 60 + index * 15);
  const toClock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

  it.each([
    'Ana Costa: Colour, then in 15m Blow-dry with Ravi,',
    'Ana Costa and João Silva for Blow-dry',
    'Ana Costa with Quinn for Colour every 2 weeks 2 times',
  ])('offers what salon book accepts, and nothing else: %s', async (line) => {
    const free = await salon.salon(['free', ...line.split(' '), 'fri', '--json']);
    expect(free, free.stderr).toMatchObject({ exitCode: 0 });
    const offered = (JSON.parse(free.stdout) as { start_time: string }[]).map(({ start_time }) =>
      start_time.slice(11, 16),
    );
    const accepted: string[] = [];
    for (const minutes of quarters) {
      const ran = await book(`${line} fri ${toClock(minutes)} --dry-run`);
      if (ran.exitCode === 0) accepted.push(toClock(minutes));
    }
    expect(offered).toEqual(accepted);
    expect(accepted.length).toBeGreaterThan(3);
    expect(accepted.length).toBeLessThan(quarters.length);
  });

  it('names everybody who has one of the dates of a repeat', async () => {
    const day = { service: 'Blow-dry', duration: 540 };
    await salon.book('joao', { ...day, start_time: '2026-11-25T09:00:00Z', stylist_id: salon.ravi });
    await salon.book('joao', { ...day, start_time: '2026-12-02T09:00:00Z', stylist_id: salon.quinn });
    const ran = await salon.salon('free for Blow-dry wed every week 2 times --json'.split(' '));
    expect(new Set(JSON.parse(ran.stdout).map((row: { stylist_name: string }) => row.stylist_name))).toEqual(
      new Set(['Quinn S. and Ravi']),
    );
  });

  it('offers nothing after the last day of a repeat', async () => {
    const ran = await salon.salon(
      'free with Ravi for Blow-dry next week every day until 24/11/2026 --json'.split(' '),
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const days = JSON.parse(ran.stdout).map((row: { start_time: string }) => row.start_time.slice(0, 10));
    expect([...new Set(days)]).toEqual(['2026-11-23']);
  });

  it('shows them by day, and says who has them', async () => {
    const line = 'Ana Costa: Colour, then Blow-dry with Ravi, fri';
    const ran = await salon.salon(['free', ...line.split(' ')], {
      columns: 80,
      env: { NO_COLOR: '1', PAGER: '' },
    });
    expect(ran.stdout).toBe(
      [
        'Free for 2 h 15 min (Colour, Blow-dry)',
        '',
        'Friday 27 November 2026',
        '  Quinn S. and Ravi  09:00–15:45',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['Ana Costa and João Silva for Colour fri', 'Not all of it is free for 1 h 30 min.'],
    ['with Ravi for Colour every week 2 times fri', 'Ravi does not do Colour (who does: Quinn S.).'],
    ['Ana Costa and João Silva for Blow-dry with Ravi fri', 'Not all of it is free for 45 min.'],
    [
      'Ana Costa with Quinn for Colour every 4 weeks 3 times fri',
      'Not all of it is free for 1 h 30 min: not on Fri 25 Dec.',
    ],
    [
      'for Colour every week 2 times fri 15:00',
      'on Friday 27 November 2026 at 15:00: nobody for Colour. Next: Quinn S. 16:00.',
    ],
    [
      'Ana Costa: Colour, then Blow-dry with Ravi, 25 dec',
      '2 h 15 min: nobody for Colour, nobody for Blow-dry.',
    ],
  ])('says when none fits: %s', async (line, message) => {
    const ran = await salon.salon(['free', ...line.split(' '), '--json']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(ran.stderr).toContain(message);
  });
});
