import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import type { MisbehavingServer } from '../../support/misbehaving-server.ts';
import { openReportServer, type ReportLists, stylists } from '../../support/report-server.ts';
import { countBySpeed } from '../../support/speed.ts';

const timeZone = 'Europe/Berlin';
const now = new Date('2026-11-21T12:00:00Z');
const numRuns = countBySpeed(25, 1500);
const localDate = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
const spans = [
  { from: '2026-10-20', to: '2026-10-31' },
  { from: '2026-10-01', to: '2026-11-30' },
] as const;

const anyVisits = fc.array(
  fc.record({
    client_id: fc.constantFrom('cli_1', 'cli_2', 'cli_3', 'cli_4'),
    stylist_id: fc.constantFrom('sty_1', 'sty_2'),
    service: fc.constantFrom('Cut', 'Colour'),
    duration: fc.integer({ min: 5, max: 240 }),
    status: fc.constantFrom('completed', 'completed', 'arrived', 'confirmed', 'cancelled', 'no_show'),
    start_time: fc
      .integer({ min: Date.parse('2026-09-15T00:00:00Z'), max: Date.parse('2026-12-05T00:00:00Z') })
      .map((ms) => new Date(ms - (ms % 1_800_000)).toISOString()),
  }),
  { maxLength: 60 },
);
const anyQuestion = fc.record({
  by: fc.constantFrom('stylist', 'service', 'month'),
  span: fc.constantFrom(...spans),
  within: fc.integer({ min: 1, max: 40 }),
});
type Visit = (typeof anyVisits extends fc.Arbitrary<infer All> ? All : never)[number];
type Question = typeof anyQuestion extends fc.Arbitrary<infer One> ? One : never;

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

async function report(name: string, visits: readonly Visit[], { by, span, within }: Question) {
  const appointments = visits.map((visit, index) => ({ ...visit, id: `apt_${index}` }));
  Object.assign(server.lists, { appointments, stylists });
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
  const more = name === 'retention' ? ` --within ${within}` : '';
  const line = `report ${name} --from ${span.from} --to ${span.to} --by ${by} --json${more}`;
  const ran = await machine.salon(line.split(' '), { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as Record<string, string | number>[];
}

const dateOf = ({ start_time }: Visit) => localDate.format(Date.parse(start_time));
const hasBegun = ({ start_time }: Visit) => Date.parse(start_time) <= now.getTime();
const dayNumber = (visit: Visit) => Date.parse(dateOf(visit)) / 86_400_000;
const keyOf = (visit: Visit, by: string) =>
  by === 'stylist' ? visit.stylist_id : by === 'service' ? visit.service : dateOf(visit).slice(0, 7);

describe('the totals of reports on appointments', () => {
  it('equal a recomputation: retention', async () => {
    await fc.assert(
      fc.asyncProperty(anyVisits, anyQuestion, async (visits, question) => {
        const { by, span, within } = question;
        const came = visits.filter(
          (visit) => hasBegun(visit) && ['completed', 'arrived'].includes(visit.status),
        );
        const expected = new Map<string, { clients: number; returned: number; open: number }>();
        const inSpan = came.filter((visit) => dateOf(visit) >= span.from && dateOf(visit) <= span.to);
        for (const [id, theirs] of Map.groupBy(inSpan, (visit) => `${keyOf(visit, by)} ${visit.client_id}`)) {
          const first = Math.min(...theirs.map(dayNumber));
          const client = theirs[0]?.client_id;
          const isBack = came.some((visit) => {
            const later = dayNumber(visit) - first;
            return visit.client_id === client && later > 0 && later <= within;
          });
          const isOpen = !isBack && first + within >= Date.parse('2026-11-21') / 86_400_000;
          const key = id.split(' ')[0] ?? '';
          const sum = expected.get(key) ?? { clients: 0, returned: 0, open: 0 };
          expected.set(key, {
            clients: sum.clients + 1,
            returned: sum.returned + Number(isBack),
            open: sum.open + Number(isOpen),
          });
        }
        const rows = (await report('retention', visits, question)).filter(
          ({ clients }) => Number(clients) > 0,
        );
        const found = rows.map(({ clients, returned, open, ...row }) => {
          return [row[by === 'stylist' ? 'stylist_id' : by], { clients, returned, open }] as const;
        });
        expect(new Map(found)).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('equal a recomputation: no-shows', async () => {
    await fc.assert(
      fc.asyncProperty(anyVisits, anyQuestion, async (visits, question) => {
        const { by, span } = question;
        const inSpan = visits.filter(
          (visit) => hasBegun(visit) && dateOf(visit) >= span.from && dateOf(visit) <= span.to,
        );
        const expected = [...Map.groupBy(inSpan, (visit) => keyOf(visit, by))].map(([key, all]) => {
          const missed = all.filter(({ status }) => status === 'no_show');
          const cancelled = all.filter(({ status }) => status === 'cancelled').length;
          const lost = missed.reduce((sum, { duration }) => sum + duration, 0);
          return [key, [all.length - cancelled, missed.length, cancelled, lost]] as const;
        });
        const found = (await report('no-shows', visits, question)).map((row) => {
          const { appointments, no_shows, cancelled, lost_minutes } = row;
          return [
            row[by === 'stylist' ? 'stylist_id' : by],
            [appointments, no_shows, cancelled, lost_minutes],
          ] as const;
        });
        const isCounted = ([, figures]: readonly [unknown, readonly unknown[]]) =>
          figures.some((figure) => figure !== 0);
        expect(new Map(found.filter(isCounted))).toEqual(new Map(expected));
      }),
      { numRuns },
    );
  });
});
