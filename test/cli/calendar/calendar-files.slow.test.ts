import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderCalendarFile } from '../../../src/cli/calendar/calendar-file.ts';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-23T08:00:00Z');
const hostile = `<img src="//evil.example/x" onerror=alert(1)> & 'Ana'`;
let machine: Machine;
let service: TestService;
let ids: string[];
let clock = now;

beforeAll(async () => {
  machine = createMachine({ now, env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => clock, clients: 1 });
  const { id: client } = JSON.parse(
    (
      await salon([
        'clients',
        'create',
        '--set',
        `first_name=${hostile}`,
        '--set',
        'phone=+351912345678',
        '--json',
      ])
    ).stdout,
  );
  const [mia = '', theo = ''] = service.stylistIds;
  ids = [];
  for (const [stylist, start, duration, ...more] of [
    [mia, '2026-11-24T09:00', '45'],
    [mia, '2026-11-24T09:15', '15', '--allow-overlap'],
    [theo, '2026-11-24T23:30', '60', '--set', 'status=pending'],
    [theo, '2026-11-26T10:00', '60'],
  ] as const) {
    const who = ['--client', client, '--stylist', stylist, '--service', 'Cut; wash, blow\\dry'];
    const when = ['--start', start, '--duration', duration, ...more];
    const made = await salon(['appointments', 'create', ...who, ...when, '--json', '--yes']);
    ids.push(JSON.parse(made.stdout).id);
  }
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(argv: readonly string[]) {
  const env = {
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.keys.owner,
    SALON_TIME_ZONE: 'Europe/Berlin',
  };
  return machine.salon(argv, { env });
}

async function write(line: string): Promise<string> {
  const argv = line.split(' ');
  const file = argv.at(-1) ?? '';
  const ran = await salon(['calendar', ...argv]);
  expect(ran, line).toMatchObject({ exitCode: 0, stdout: '' });
  expect(ran.stderr).toMatch(new RegExp(`^\\d+ appointments? written to ${file}$`, 'm'));
  return readFileSync(join(machine.home, file), 'utf8');
}

describe('a calendar to print', () => {
  it('has all stylists on pages of at most eight, with local times and escaped names', async () => {
    const html = await write('2026-11-24 -o day.html');
    expect(html.match(/<section>/g)).toHaveLength(2);
    expect(html).toContain('<time>09:00–09:45</time>');
    expect(html.match(/<bdi>\+351912345678<\/bdi>/g)).toHaveLength(3);
    expect(html).toContain('Times are in Europe/Berlin. As of 2026-11-23 09:00. Page 1 of 2.');
    expect(html).toContain(
      '&lt;img src=&quot;//evil.example/x&quot; onerror=alert(1)&gt; &amp; &#39;Ana&#39;',
    );
    expect(html).not.toContain('<img');
    expect(html).toContain('@page { size: A4 landscape;');
  });

  it('says what else a client has that day, in grids and lists, and in no file that others keep', async () => {
    const words =
      '<bdi>also Cut; wash, blow\\dry 09:00 with Mia, then Cut; wash, blow\\dry 23:30 with Theo</bdi>';
    expect(await write('2026-11-24 -o day.html')).toContain(words);
    const list = await write('2026-11-24 Theo --by-stylist -o list.html');
    expect(list).toContain('dry, after Cut; wash, blow\\dry 09:15 with Mia</bdi>');
    expect(await write('2026-11-24 -o day.ics')).not.toContain('23:30');
  });

  it('has a list for each stylist with appointments', async () => {
    const html = await write('2026-11-24 --week --by-stylist -o list.html');
    expect(html.match(/<section/g)).toHaveLength(2);
    expect(html).toContain('<h2>Thursday 26 November 2026</h2>');
    expect(html).toContain('<bdi>23:30–00:30›</bdi>');
    expect(html).toContain('<td><bdi>+351912345678</bdi></td>');
    expect(html).toContain('<bdi>‹23:30–00:30</bdi>');
    expect(html).toContain('@page { size: A4 portrait;');
  });

  it('prints on as many pages, in Chromium, without requests or scripts', async ({ skip }) => {
    skip(noBrowser !== undefined, noBrowser);
    await using browser = await openBrowser();
    for (const [line, pages] of [
      ['2026-11-24 -o day.html', 2],
      ['2026-11-24 --week --by-stylist -o list.html', 2],
      [`2026-11-24 --week --stylist ${service.stylistIds[0]} -o week.html`, 1],
    ] as const) {
      await write(line);
      const address = pathToFileURL(join(machine.home, line.split(' ').at(-1) ?? '')).href;
      await using opened = await openPage(browser, { width: 1200, height: 900 });
      await opened.page.goto(address);
      const pdf = (await opened.page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), line).toHaveLength(pages);
      expect(opened.requested).toEqual([address]);
      expect(opened.complaints).toEqual([]);
      const overflowing = await opened.page.evaluate<number>(
        `[...document.querySelectorAll('.block')].filter((block) => {
          const [own, track] = [block.getBoundingClientRect(), block.parentElement.getBoundingClientRect()];
          return own.bottom > track.bottom + 1 || own.top < track.top - 1 || own.right > track.right + 1;
        }).length`,
      );
      expect(overflowing).toBe(0);
    }
  });
});

describe('a calendar file', () => {
  it.each([
    ['Salon: Mia, Kids; x\\y', 'Salon: Mia\\, Kids\\; x\\\\y'],
    ['LEGEND: Mia', 'LEGEND: Mia'],
  ])('escapes its name: %s', (name, written) => {
    const text = renderCalendarFile({ entries: [], stylists: [] }, { name, now, host: 'salon' });
    expect(text).toContain(`\r\nNAME:${written}\r\nX-WR-CALNAME:${written}\r\n`);
    expect(text).toMatch(/END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/);
  });

  const read = (text: string) =>
    text
      .replaceAll('\r\n ', '')
      .split('BEGIN:VEVENT\r\n')
      .slice(1)
      .map((event) => event.split('\r\n'));

  it('has an event for each appointment, in UTC, folded and escaped', async () => {
    const text = await write('2026-11-24 --week -o week.ics');
    const lines = text.split('\r\n');
    expect(text).not.toMatch(/[^\r]\n/);
    expect(Math.max(...lines.map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(75);
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
    const events = read(text);
    expect(events.map(([uid]) => uid).sort()).toEqual(ids.map((id) => `UID:${id}@salon`).sort());
    const first = events.find(([uid]) => uid === `UID:${ids[0]}@salon`);
    expect(first).toEqual(
      expect.arrayContaining([
        'DTSTART:20261124T080000Z',
        'DTEND:20261124T084500Z',
        'SEQUENCE:0',
        'STATUS:CONFIRMED',
      ]),
    );
    expect(first?.find((one) => one.startsWith('SUMMARY:'))).toContain(
      "& 'Ana': Cut\\; wash\\, blow\\\\dry\\, ",
    );
    expect(events.find(([uid]) => uid === `UID:${ids[2]}@salon`)).toContain('STATUS:TENTATIVE');
  });

  it('has cancelled appointments with --all only, under the same UID and a higher SEQUENCE', async () => {
    const last = ids.at(-1) ?? '';
    clock = new Date(now.getTime() + 5000);
    expect(await salon(['appointments', 'cancel', last, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await write('2026-11-24 --week -o week.ics')).not.toContain(last);
    const event = read(await write('2026-11-24 --week --all -o week.ics')).find(([uid]) =>
      uid?.includes(last),
    );
    expect(event).toEqual(expect.arrayContaining([`UID:${last}@salon`, 'STATUS:CANCELLED', 'SEQUENCE:5']));
  });
});

describe('a calendar file without appointments', () => {
  it('has the one component that RFC 5545 wants, and no event', async () => {
    const text = await write('2031-01-01 -o empty.ics');
    const names = text.split('\r\n').filter((line) => /^(?:BEGIN|END|TZID|TZOFFSET)/.test(line));
    expect(names).toEqual([
      'BEGIN:VCALENDAR',
      'BEGIN:VTIMEZONE',
      'TZID:Etc/UTC',
      'BEGIN:STANDARD',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0000',
      'END:STANDARD',
      'END:VTIMEZONE',
      'END:VCALENDAR',
    ]);
    expect(text).not.toMatch(/[^\r]\n/);
  });
});

describe('the file of a calendar', () => {
  it.each([
    [['tomorrow', '-o', 'day.pdf'], 'Write an .html file, open it in a browser and print it as a PDF.'],
    [['tomorrow', '-o', 'day.doc'], 'Name the file .html, .ics, .csv, .xlsx, .json, .ndjson or .tsv'],
    [['tomorrow', '-o', 'day'], 'Name the file .html, .ics, .csv'],
    [['tomorrow', '-o', 'no/day.html'], 'No folder no'],
    [['tomorrow', '-o', 'day.html', '--excel'], 'Name the file .csv or .xlsx'],
    [['tomorrow', '-o', 'day.html', '-c', 'client'], '--columns does not apply to day.html.'],
    [['tomorrow', '--by-stylist'], '--by-stylist is for pages to print.'],
    [['tomorrow', '-o', 'day.ics', '--by-stylist'], '--by-stylist is for pages to print.'],
  ])('is refused before anything is read: %j', async (argv, message) => {
    const before = readdirSync(machine.home);
    const ran = await salon(['calendar', ...argv]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(readdirSync(machine.home)).toEqual(before);
  });

  it('is refused for other commands with what is possible', async () => {
    const ran = await salon(['clients', 'list', '-o', 'clients.html']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Name the file .csv, .xlsx, .json, .ndjson or .tsv');
    expect(existsSync(join(machine.home, 'clients.html'))).toBe(false);
  });
});
