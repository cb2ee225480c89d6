import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import type { MisbehavingServer } from '../../support/misbehaving-server.ts';
import {
  paidAppointments as appointments,
  openReportServer,
  payment,
  type ReportLists,
  stylists,
} from '../../support/report-server.ts';

const now = new Date('2026-11-21T12:00:00Z');
const timeZone = 'Europe/Berlin';

let machine: Machine;
let server: MisbehavingServer & { readonly lists: ReportLists };
beforeAll(async () => {
  machine = createMachine({ now, timeZone });
  server = await openReportServer();
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function report(line: string, columns?: number) {
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', NO_COLOR: '1' };
  return machine.salon(['report', ...line.split(' ')], columns === undefined ? { env } : { env, columns });
}

describe('salon report revenue', () => {
  it('adds up last week by stylist, with the week before, refunds and tips', async () => {
    Object.assign(server.lists, {
      payments: [
        payment({ id: 'pay_1', tip_amount: 500 }),
        payment({ id: 'pay_2', amount: 3000, refunded_amount: 1000 }),
        payment({ id: 'pay_3', created_at: '2026-11-03T10:00:00Z', amount: 6000 }),
        // All of it and a part of the tip.
        payment({ id: 'pay_4', appointment_id: 'apt_2', tip_amount: 300, refunded_amount: 4700 }),
        payment({ id: 'pay_5', appointment_id: 'apt_3', amount: 10_000 }),
        payment({ id: 'pay_6', appointment_id: null, amount: 700 }),
        payment({ id: 'pay_7', status: 'failed' }),
        payment({ id: 'pay_8', currency: 'JPY', amount: 5000 }),
        // Sunday 23:30 and Monday 00:30 in Berlin.
        payment({ id: 'pay_9', created_at: '2026-11-15T22:30:00Z', amount: 1 }),
        payment({ id: 'pay_10', created_at: '2026-11-15T23:30:00Z', amount: 2 }),
      ],
      appointments,
      stylists,
    });
    const ran = await report('revenue last week --json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    const mia = { stylist_id: 'sty_1', stylist_name: 'Mia' };
    const theo = { stylist_id: 'sty_2', stylist_name: 'Theo' };
    expect(JSON.parse(ran.stdout)).toEqual([
      {
        ...{
          ...theo,
          currency: 'EUR',
          payments: 2,
          sales: 14_500,
          refunds: 4500,
          revenue: 10_000,
          tips: 100,
        },
        ...{ revenue_before: 0, change: 10_000, change_percent: null },
      },
      {
        ...{ ...mia, currency: 'EUR', payments: 3, sales: 7501, refunds: 1000, revenue: 6501, tips: 500 },
        ...{ revenue_before: 6000, change: 501, change_percent: 8.4 },
      },
      {
        ...{ stylist_id: null, stylist_name: null, currency: 'EUR', payments: 1, sales: 700, refunds: 0 },
        ...{ revenue: 700, tips: 0, revenue_before: 0, change: 700, change_percent: null },
      },
      {
        ...{ ...mia, currency: 'JPY', payments: 1, sales: 5000, refunds: 0, revenue: 5000, tips: 0 },
        ...{ revenue_before: 0, change: 5000, change_percent: null },
      },
    ]);
  });

  it('draws a table for each currency, with totals, within the width of the terminal', async () => {
    for (const width of [40, 80, 120]) {
      const { stdout } = await report('revenue last week', width);
      const lines = stdout.split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines[0]).toBe('Revenue by stylist, 9–15 November 2026');
    }
    const { stdout } = await report('revenue last week by stylist', 80);
    expect(stdout).toMatch(/^Theo +145\.00 +45\.00 +100\.00 +1\.00 .*█{8}/m);
    expect(stdout).toMatch(/^No appointment +7\.00/m);
    expect(stdout).toMatch(/^Total +227\.01 +55\.00 +172\.01 +6\.00 +60\.00 +\+186\.7%$/m);
    expect(stdout).toMatch(/^Total +5,000 +0 +5,000 +0 +0 +–$/m);
    expect(stdout).toContain('Not counted: 1 failed payment.');
  });

  it('prints the list commands behind the figures with -v', async () => {
    const { stderr } = await report('revenue last week -v');
    expect(stderr).toContain(
      'salon payments list --from 2026-11-09 --to 2026-11-15 --status completed\n2–8 November 2026',
    );
  });

  it('reads each list once, and no single records', async () => {
    const before = server.received.length;
    await report('revenue last week by day --json');
    const paths = server.received.slice(before).map(({ path }) => path.split('/').at(-1));
    expect(new Set(paths)).toEqual(new Set(['stylists', 'me', 'payments']));
  });

  it.each([
    [2, 'revenue last fortnight', '"last fortnight" is not a period.'],
    [2, 'revenue --by colour', 'A report cannot be grouped by "colour".'],
    [
      2,
      'revenue --from 2026-11-10 --to 2026-11-01',
      'The range ends before it begins: from Tuesday 10 November 2026',
    ],
    [2, 'revenue --from 2026-13-10', '2026-13-10'],
    [2, 'revenue last week --from 2026-11-10', 'Pass either a period'],
    [2, 'revenue last week --period last-month', 'Pass the period only once'],
    [2, 'revenue --to 2026-11-10', '--to needs --from.'],
    [2, 'revenue --from 2000-01-01 --by day', 'A report by day covers at most 3,660 days.'],
    [2, 'revenue --status ,', '--status must not be empty.'],
    [2, 'revenue --stylist .', 'stylist'],
    [6, 'revenue --stylist Nobody', 'Nobody'],
    [2, 'retention --within 0', '--within needs a whole number'],
  ])('exits %i and prints no figures: salon report %s', async (exitCode, line, message) => {
    const ran = await report(line);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('refuses amounts that are no minor units', async () => {
    server.lists.payments = [payment({ amount: 45.5 })];
    const ran = await report('revenue last week');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('The amount of payment pay_1 is not a whole number of minor units');
  });

  it('says which payments it cannot place, and fails with --strict', async () => {
    server.lists.payments = [payment({}), payment({ id: 'pay_2', created_at: 'soon' })];
    const ran = await report('revenue last week by day --json');
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('Not counted: 1 payment without a valid time (created_at).');
    expect(await report('revenue last week --strict')).toMatchObject({ exitCode: 3, stdout: '' });
  });

  it('names the statuses of a server that has its own', async () => {
    server.lists.payments = [payment({ status: 'paid' })];
    const ran = await report('revenue last week by day', 80);
    expect(ran.stdout).toContain('Not counted: 1 paid payment. To count others: --status completed,paid');
    const silent = await report('revenue last week by stylist --json');
    expect(silent.stderr).toContain('warning: Not counted: 1 paid payment. To count others:');
    const counted = await report('revenue last week by stylist --status paid --json');
    expect(JSON.parse(counted.stdout)).toMatchObject([{ stylist_name: 'Mia', revenue: 4500 }]);
  });

  it('says when a server has no payments', async () => {
    server.lists.payments = undefined as never;
    const ran = await report('revenue last week');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('payments');
  });
});
