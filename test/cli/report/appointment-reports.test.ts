import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import type { MisbehavingServer } from '../../support/misbehaving-server.ts';
import { openReportServer, type ReportLists, stylists } from '../../support/report-server.ts';

/** A Saturday at noon. */
const now = new Date('2026-11-21T12:00:00Z');
let machine: Machine;
let server: MisbehavingServer & { readonly lists: ReportLists };
beforeAll(async () => {
  machine = createMachine({ now, timeZone: 'Europe/Berlin' });
  server = await openReportServer();
  server.lists.stylists = stylists;
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function report(line: string, options: { readonly columns?: number } = {}) {
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', NO_COLOR: '1' };
  const { columns } = options;
  const ran = await machine.salon(
    ['report', ...line.split(' ')],
    columns === undefined ? { env } : { env, columns },
  );
  expect(ran.exitCode, ran.stderr).toBe(0);
  return ran;
}

let made = 0;
const visit = (start_time: string, change: object = {}) => {
  made += 1;
  return {
    ...{
      id: `apt_${made}`,
      client_id: 'cli_1',
      stylist_id: 'sty_1',
      service: 'Cut',
      start_time,
      duration: 60,
    },
    ...{ status: 'completed', ...change },
  };
};

describe('salon report no-shows', () => {
  it('counts no-shows out of what has begun and is not cancelled, with the lost time', async () => {
    server.lists.appointments = [
      visit('2026-11-10T09:00:00Z'),
      visit('2026-11-10T10:00:00Z', { status: 'no_show', duration: 90 }),
      visit('2026-11-11T10:00:00Z', { status: 'NoShow', duration: 30 }),
      visit('2026-11-11T11:00:00Z', { status: 'confirmed' }),
      visit('2026-11-11T12:00:00Z', { status: 'cancelled' }),
      visit('2026-11-11T13:00:00Z', { stylist_id: 'sty_2' }),
      visit('2026-11-03T10:00:00Z', { status: 'no_show' }),
    ];
    const rows = JSON.parse((await report('no-shows last week --json')).stdout);
    expect(rows).toMatchObject([
      {
        ...{ stylist_name: 'Mia', appointments: 4, no_shows: 2, no_show_percent: 50, lost_minutes: 120 },
        ...{ cancelled: 1, no_shows_before: 1, no_show_percent_before: 100, change: 1, change_percent: 100 },
      },
      { stylist_name: 'Theo', appointments: 1, no_shows: 0, no_show_percent: 0, change_percent: null },
    ]);
    const { stdout } = await report('no-shows last week', { columns: 100 });
    expect(stdout).toContain('1 appointment still pending or confirmed, although begun: counted as kept.');
  });

  it('leaves out what has not begun', async () => {
    server.lists.appointments = [visit('2026-11-21T11:00:00Z'), visit('2026-11-21T13:00:00Z')];
    const [row] = JSON.parse((await report('no-shows this week by week --json')).stdout);
    expect(row).toMatchObject({ week: '2026-11-16', appointments: 1 });
  });
});

describe('salon report utilisation', () => {
  const working_hours = 'mon-fri 9-17, sat 9-13';
  beforeAll(() => {
    server.lists.stylists = stylists.map((stylist) => ({ ...stylist, working_hours }));
  });

  it('divides booked by opening minutes, and names the source of the hours', async () => {
    server.lists.appointments = [
      visit('2026-11-17T09:00:00Z', { duration: 240 }),
      visit('2026-11-18T09:00:00Z', { duration: 120, status: 'cancelled' }),
      visit('2026-11-27T09:00:00Z', { duration: 480, stylist_id: 'sty_2' }),
      visit('2026-11-17T09:00:00Z', { duration: 60, stylist_id: 'sty_gone' }),
      visit('2026-11-10T09:00:00Z', { duration: 60, stylist_id: 'sty_gone' }),
    ];
    const { stdout } = await report('utilisation this week --json');
    expect(JSON.parse(stdout)).toMatchObject([
      { stylist_name: 'Mia', booked_minutes: 240, opening_minutes: 44 * 60, utilisation_percent: 9.1 },
      { stylist_name: 'Theo', booked_minutes: 0, opening_minutes: 44 * 60, utilisation_percent: 0 },
    ]);
    const drawn = await report('utilisation this week by day', { columns: 120 });
    expect(drawn.stdout).toMatch(/^Tue 17 Nov +1 +4 h +16 h +25\.0%/m);
    expect(drawn.stdout).toMatch(/^Sat 21 Nov +0 +0 min +8 h +0\.0%/m);
    expect(drawn.stdout).toMatch(/^Total +1 +4 h +88 h +4\.5%/m);
    expect(drawn.stdout).toContain("Opening hours: each stylist's own.");
    expect(drawn.stdout).toContain('Left out: 1 appointment with stylists who are not active');
  });

  it('includes what is booked later in the period', async () => {
    const { stdout } = await report('utilisation next week --stylist Theo --json');
    expect(JSON.parse(stdout)).toMatchObject([{ stylist_name: 'Theo', booked_minutes: 480 }]);
  });
});

describe('salon report retention', () => {
  it('counts clients who came again on a later day in time', async () => {
    server.lists.appointments = [
      // Came back after 30 days, to another stylist.
      visit('2026-07-01T09:00:00Z', { client_id: 'cli_1' }),
      visit('2026-07-31T09:00:00Z', { client_id: 'cli_1', stylist_id: 'sty_2' }),
      // Twice on the same day, and again too late.
      visit('2026-07-02T07:00:00Z', { client_id: 'cli_2' }),
      visit('2026-07-02T09:00:00Z', { client_id: 'cli_2' }),
      visit('2026-08-02T09:00:00Z', { client_id: 'cli_2' }),
      // Did not come when booked again.
      visit('2026-07-03T09:00:00Z', { client_id: 'cli_3' }),
      visit('2026-07-10T09:00:00Z', { client_id: 'cli_3', status: 'no_show' }),
      visit('2026-06-10T09:00:00Z', { client_id: 'cli_1' }),
    ];
    const { stdout } = await report('retention july --within 30 --json');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ stylist_name: 'Mia', clients: 3, returned: 1, open: 0, retention_percent: 33.3 },
        ...{ retention_percent_before: 100, change_points: -66.7, change_percent: -66.7 },
      },
      { stylist_name: 'Theo', clients: 1, returned: 0, retention_percent: 0 },
    ]);
    const drawn = await report('retention july --within 30', { columns: 120 });
    expect(drawn.stdout).toMatch(/^Total +3 +1 /m);
  });

  it('says who may still come back', async () => {
    server.lists.appointments = [visit('2026-11-10T09:00:00Z')];
    const { stdout } = await report('retention last week', { columns: 80 });
    expect(stdout).toContain('1 client may still come back in time: the rate can only rise.');
  });

  it('reports the last month of which nobody is open, without a period', async () => {
    const { stdout } = await report('retention', { columns: 80 });
    expect(stdout.split('\n')[0]).toBe('Retention within 90 days by stylist, July 2026');
  });

  it('is one sentence a figure for screen readers', async () => {
    const { stdout } = await report('retention last week --plain', { columns: 80 });
    expect(stdout).toContain('\n\nMia\nClients: 1\nCame back: 0\n');
    expect(stdout).not.toMatch(/[▉-▏█]/);
  });
});
