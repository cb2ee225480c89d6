import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockedSpan } from '../../../src/cli/availability/salon-facts.ts';
import { renderDayGrid, renderStylistWeek } from '../../../src/cli/calendar/draw-calendar.ts';
import { renderSalonWeek } from '../../../src/cli/calendar/salon-week.ts';
import { parseWeekHours } from '../../../src/time/week-hours.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { dayOf, entryOf, styleOf } from './sample-calendars.ts';

const timeZone = 'Europe/Berlin';
const day = dayOf('2026-11-24', timeZone);
const days = Array.from({ length: 7 }, (_, index) => dayOf(`2026-11-${23 + index}`, timeZone));
const stylists = [
  { id: 'sty_0', name: 'Mia', workingHours: parseWeekHours('mon-sat 9-18') ?? [] },
  { id: 'sty_1', name: '山田花子' },
];
const visit = entryOf({ startMs: berlin('24T10:00'), endMs: berlin('24T11:00') });
const theirs = entryOf({ stylistId: 'sty_1', startMs: berlin('24T09:00'), endMs: berlin('24T12:00') });
const contents = { day, days, timeZone, stylists, entries: [visit], hidden: [], nowMs: 0 };

/** An instant of November 2026. */
function berlin(text: string): number {
  return Date.parse(`2026-11-${text}:00+01:00`);
}

function block(from: string, to: string, change: Partial<BlockedSpan> = {}): BlockedSpan {
  return {
    ...{ id: 'blk_1', stylistId: 'sty_0', reason: 'sick', createdMs: undefined, updatedMs: undefined },
    ...{ startMs: berlin(from), endMs: berlin(to), ...change },
  };
}

function draw(blocks: readonly BlockedSpan[], change: Partial<typeof contents> = {}, width = 60): string {
  return renderDayGrid({ ...contents, ...change, blocks }, styleOf(width, 60));
}

describe('a day on which somebody is away', () => {
  it('shows why behind the appointments, which stay as wide as they are', () => {
    const text = draw([block('24T00:00', '25T00:00')], { entries: [visit, theirs] });
    expect(text).toContain('2 appointments with 2 stylists.\nAway: Mia (sick).\n');
    expect(text).toMatch(/^09:00 +░ away \(sick\) ░+ ▌C Ana Costa$/m);
    expect(text).toMatch(/^10:00 +▌C Ana Costa +▌/m);
    const evening = draw([block('24T11:00', '24T13:00', { reason: 'break' })]);
    expect(evening).toMatch(/^11:00 +░ break ░+ ·$/m);
    expect(evening).not.toContain('Away:');
  });

  it('shows times that the lines do not show, and the hours around them', () => {
    const text = draw([block('24T14:10', '24T14:50', { stylistId: 'sty_1', reason: 'training' })], {}, 90);
    expect(text).toMatch(/^14:00 .*░ away \(training\) 14:10–14:50 ░+$/m);
  });

  it('says "away" where the key may not know why', () => {
    const text = draw([block('24T00:00', '25T00:00', { reason: 'away' })], { entries: [visit, theirs] });
    expect(text).toContain('Away: Mia.');
    expect(text).toMatch(/░ away ░/);
  });

  it('takes all working hours for the whole day, and one hour less for a part of it', () => {
    expect(draw([block('24T09:00', '24T18:00')])).toContain('Away: Mia (sick).');
    expect(draw([block('24T09:00', '24T17:00')])).not.toContain('Away: Mia (sick).');
  });

  it('names somebody whose appointments hide that they are away', () => {
    expect(draw([block('24T10:00', '24T11:00')])).toContain('Away: Mia 10:00–11:00 (sick).');
  });

  it('draws a block over midnight and over a year from midnight to midnight', () => {
    for (const [from, to] of [
      ['23T22:00', '24T10:30'],
      ['24T16:00', '26T10:00'],
    ] as const) {
      const text = draw([block(from, to, { stylistId: 'sty_1' })]);
      expect(text).toMatch(/░ away \(sick\) ░/);
      expect(text).not.toMatch(/^0[0-8]:00|^2\d:00/m);
    }
    const year = { startMs: day.startMs - 200 * 86_400_000, endMs: day.endMs + 165 * 86_400_000 };
    expect(draw([block('24T00:00', '25T00:00', year)])).toContain('Away: Mia (sick).');
  });

  it('says in one line that the salon is closed, and shows bookings that are there', () => {
    const closed = block('24T00:00', '25T00:00', { stylistId: null, reason: 'holiday' });
    const sentence = 'The salon is closed (holiday) on Tuesday 24 November 2026.';
    expect(draw([closed], { entries: [] })).toBe(`Tuesday 24 November 2026  Europe/Berlin\n\n${sentence}\n`);
    const booked = draw([closed], {}, 80);
    expect(booked).toContain(sentence);
    expect(booked).toContain('▌C Ana Costa');
    expect(draw([closed], { entries: [], stylists: [] })).toContain(sentence);
  });

  it('counts the rest of many who are away, and fits any terminal', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ id: `sty_${index}`, name: `Stylist ${index}` }));
    const blocks = many.map(({ id }) => block('24T00:00', '25T00:00', { stylistId: id }));
    expect(draw(blocks, { stylists: many }, 200)).toContain('… and 32 more: salon blocks list');
    for (const width of [20, 40, 80]) {
      for (const text of [
        draw(blocks, { stylists: many }, width),
        renderStylistWeek({ ...contents, stylists: stylists.slice(0, 1), blocks }, styleOf(width)),
      ]) {
        for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  it.each([
    ['2026-10-25', 25],
    ['2026-03-29', 23],
  ])('counts %s, which has %i hours, as a whole day', (date, hours) => {
    const change = dayOf(date, timeZone);
    expect((change.endMs - change.startMs) / 3_600_000).toBe(hours);
    const entries = [entryOf({ startMs: change.startMs + 3_600_000, endMs: change.startMs + 7_200_000 })];
    const text = draw([block('24T00:00', '25T00:00', change)], { day: change, entries });
    expect(text).toContain('Away: Mia (sick).');
  });
});

describe('a week in which somebody is away', () => {
  const off = block('24T00:00', '27T00:00', { reason: 'holiday' });

  it('says so instead of how busy they are, and keeps the count', () => {
    const lines = renderSalonWeek({ ...contents, blocks: [off] }, styleOf(120)).split('\n');
    expect(lines.find((line) => line.startsWith('Mia'))).toMatch(
      / holiday +1 away \(holiday\) +away \(holiday\) +· /,
    );
    expect(lines.join('\n')).toContain('booked, less where time is blocked; numbers');
  });

  it('counts what is booked against the hours that are not blocked', () => {
    const bar = (blocks: readonly BlockedSpan[]) =>
      renderSalonWeek({ ...contents, blocks, entries: [visit, long] }, styleOf(120)).match(
        /^Mia.*?(█*[▏▎▍▌▋▊▉]?) +1/m,
      )?.[1];
    const long = entryOf({ stylistId: 'sty_1', startMs: berlin('24T08:00'), endMs: berlin('24T16:00') });
    expect(bar([])).toBe('█▎');
    expect(bar([block('24T09:00', '24T10:00'), block('24T11:00', '24T14:30')])).toBe('██▌');
  });

  it('marks the days of one stylist', () => {
    const own = { ...contents, stylists: stylists.slice(0, 1), blocks: [off] };
    const text = renderStylistWeek(own, styleOf(120, 40));
    expect(text).toMatch(/░ away ░/);
    expect(text).toMatch(/░ \(holiday\) ░/);
    expect(renderStylistWeek({ ...own, entries: [] }, styleOf(120))).toContain(
      'Wed 25 Nov: Away: Mia (holiday).',
    );
  });
});

describe('blocked time of the service', () => {
  const now = new Date('2026-11-24T08:00:00Z');
  let machine: Machine;
  let service: TestService;

  beforeAll(async () => {
    machine = createMachine({ now, env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
    service = await openTestService({ now: () => now, clients: 1 });
    const [client] = JSON.parse((await salon('clients list --json')).stdout);
    const who = `--client ${client.id} --stylist ${service.stylistIds[0]}`;
    await salon(`appointments create ${who} --service Cut --start 2026-11-24T15:00 --duration 30 --yes`);
    for (const line of [
      'block Mia today sick --note Migraine',
      'block Zuzanna today 12-13 lunch',
      'close 2026-11-26',
    ])
      expect(await salon(line)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    machine[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  function salon(line: string, options: RunOptions = {}, role: keyof TestService['keys'] = 'owner') {
    const env = {
      SALON_BASE_URL: service.origin,
      SALON_API_KEY: service.keys[role],
      SALON_TIME_ZONE: timeZone,
    };
    return machine.salon(line.split(' '), { ...options, env: { ...env, NO_COLOR: '1' } });
  }

  async function written(line: string, role?: keyof TestService['keys']): Promise<string> {
    const file = line.split(' ').at(-1) ?? '';
    expect(await salon(line, {}, role)).toMatchObject({ exitCode: 0 });
    return readFileSync(join(machine.home, file), 'utf8');
  }

  it('is in salon today, where a booking with somebody away is due', async () => {
    const { stdout } = await salon('today', { columns: 80, rows: 24 });
    expect(stdout).toMatch(/^ {2}Stylist away {2}15:00 {2}Ana Costa .*Mia, Cut$/m);
    expect(stdout).toContain('Away: Mia (sick), Zuzanna 12:00–13:00 (break).');
    const running = await salon('today', { columns: 80, now: new Date('2026-11-24T14:10:00Z') });
    expect(running.stdout).toMatch(/^ {2}Stylist away {2}15:00 {2}Ana Costa/m);
    const afterwards = await salon('today', { columns: 80, now: new Date('2026-11-24T12:30:00Z') });
    expect(afterwards.stdout).toContain('Away: Mia (sick).');
    const closed = await salon('today', { columns: 80, now: new Date('2026-11-26T09:00:00Z') });
    expect(closed.stdout).toContain('The salon is closed on Thursday 26 November 2026.');
  });

  it('is in sentences for screen readers', async () => {
    const { stdout } = await salon('calendar --plain', { columns: 80 });
    expect(stdout).toMatch(/^Mia: 1 appointment\. All day away \(sick\)\.$/m);
    expect(stdout).toMatch(/^Zuzanna: 0 appointments\.\n12:00 to 13:00: break\.$/m);
  });

  it('is "away" for those who may not know why, in each view and file', async () => {
    for (const line of ['today', 'calendar', 'calendar --plain', 'calendar --week'])
      expect((await salon(line, { columns: 120 }, 'viewer')).stdout).not.toContain('sick');
    for (const file of ['viewer.html', 'viewer.ics']) {
      const text = await written(`calendar -o ${file}`, 'viewer');
      expect(text).toContain('away');
      expect(text).not.toMatch(/sick|Migraine/);
    }
  });

  it('is on printed pages, behind the appointments or in the list of a stylist', async () => {
    const html = await written('calendar -o day.html');
    expect(html).toContain('Away: Mia (sick).');
    expect(html).toMatch(/<aside style="[^"]+"><span>break 12:00–13:00<\/span><\/aside>/);
    const list = await written('calendar --by-stylist -o list.html');
    expect(list).toContain('<tr class="is-away"><td>12:00–13:00</td><td colspan="6">break</td></tr>');
    expect(html + list).not.toContain('Migraine');
    expect(await written('calendar 2026-11-26 -o closed.html')).toContain('The salon is closed on Thursday');
  });

  it('is a busy event with an identifier that stays, for the stylist or the salon', async () => {
    const [first, again] = [
      await written('calendar --week -o a.ics'),
      await written('calendar --week -o b.ics'),
    ];
    expect(again).toBe(first);
    const events = first.split('BEGIN:VEVENT').filter((event) => event.includes('UID:blk_'));
    expect(events).toHaveLength(3);
    for (const event of events) {
      expect(event).toMatch(/UID:blk_\w+@salon\r\nSEQUENCE:0\r\n/);
      expect(event).toContain('X-MICROSOFT-CDO-BUSYSTATUS:BUSY');
    }
    expect(first).toContain('SUMMARY:Mia: away (sick)');
    expect(first).toContain('SUMMARY:Salon: closed');
    expect(first).not.toContain('Migraine');
    expect(await written('calendar --week --stylist Zuzanna -o c.ics')).not.toContain('Mia');
  });

  it('leaves the rows of machine formats as they are: one per appointment', async () => {
    expect(JSON.parse((await salon('calendar --json')).stdout)).toHaveLength(1);
    expect(JSON.parse((await salon('today --json')).stdout)).toMatchObject([{ due: null }]);
  });

  it('is not opening time in the report on utilisation', async () => {
    const rows = JSON.parse(
      (await salon('report utilisation --from 2026-11-24 --to 2026-11-26 --by day --json')).stdout,
    );
    const minutes = rows.map((row: Record<string, unknown>) => row['opening_minutes']);
    await salon('unblock 2026-11-26 --yes');
    const open = JSON.parse(
      (await salon('report utilisation --from 2026-11-24 --to 2026-11-26 --by day --json')).stdout,
    );
    expect(minutes[2]).toBe(0);
    expect(open[2].opening_minutes).toBeGreaterThan(0);
    expect(open[1].opening_minutes).toBe(minutes[1]);
  });
});
