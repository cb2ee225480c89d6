import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientConditions } from '../../../src/client/selection/client-conditions.ts';
import { refusal } from '../../support/open-client.ts';
import { countBySpeed } from '../../support/speed.ts';
import { select } from './select-from-server.ts';

const asOf = '2026-11-22T12:00:00Z';

describe('selectClients by visits', () => {
  const clients = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const visit = (client_id: string, start_time: string, status = 'completed') => ({
    id: `${client_id} ${start_time}`,
    client_id,
    start_time,
    status,
  });
  const appointments = [
    visit('a', '2026-11-01T10:00:00Z'),
    visit('b', '2026-05-22T00:00:00Z', 'arrived'),
    visit('b', '2026-05-21T00:00:00Z', 'no_show'),
    visit('c', '2026-11-01T10:00:00Z', 'cancelled'),
    visit('d', '2026-11-01T10:00:00Z', 'confirmed'),
    visit('d', '2026-11-23T10:00:00Z', 'confirmed'),
  ];

  it.each<[string, ClientConditions, string[]]>([
    ['came since an instant, included', { seenSince: '2026-05-22T00:00:00Z' }, ['a', 'b']],
    ['have not', { notSeenSince: '2026-05-22T00:00:00Z' }, ['c', 'd']],
    [
      'came once, but not lately',
      { seenSince: '2026-05-01T00:00:00Z', notSeenSince: '2026-10-01T00:00:00Z' },
      ['b'],
    ],
  ])('finds who %s', async (_what, conditions, ids) => {
    expect((await select({ clients, appointments }, { ...conditions, asOf })).ids).toEqual(ids);
  });

  it('counts who has a past appointment that nobody marked', async () => {
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    expect((await select({ clients, appointments }, conditions)).facts.unmarked).toBe(1);
  });

  it('agrees with a brute-force model', async () => {
    const statuses = ['completed', 'arrived', 'in_service', 'pending', 'confirmed', 'cancelled', 'no_show'];
    const day = fc
      .integer({ min: 1, max: 28 })
      .map((date) => `2026-11-${String(date).padStart(2, '0')}T09:00:00Z`);
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), day, fc.constantFrom(...statuses));
    const check = async (all: [string, string, string][], since: string, notSince: string) => {
      const rows = all.map(([id, start, status], index) => ({
        ...visit(id, start, status),
        id: `apt_${index}`,
      }));
      const came = (id: string, from: string) =>
        all.some(
          ([who, start, status]) =>
            who === id && start >= from && start < asOf && statuses.indexOf(status) < 3,
        );
      const expected = clients.map(({ id }) => id).filter((id) => came(id, since) && !came(id, notSince));
      const conditions = { seenSince: since, notSeenSince: notSince, asOf };
      expect((await select({ clients, appointments: rows }, conditions)).ids).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(fc.array(one, { maxLength: 12 }), day, day, check), {
      numRuns: countBySpeed(60),
    });
  });

  it('finds who has which past and coming appointments, as a plain model does', async () => {
    const statuses = ['completed', 'arrived', 'in_service', 'pending', 'confirmed', 'cancelled', 'no_show'];
    const day = fc
      .integer({ min: 1, max: 28 })
      .map((date) => `2026-11-${String(date).padStart(2, '0')}T09:00:00Z`);
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), day, fc.constantFrom(...statuses));
    const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const wanted = fc.record({
      upcoming: some(fc.boolean()),
      neverVisited: some(fc.constant(true as const)),
      firstVisitFrom: some(day),
      firstVisitTo: some(day),
      minVisits: some(fc.integer({ min: 1, max: 3 })),
      minNoShows: some(fc.integer({ min: 1, max: 2 })),
      notSeenSince: some(day),
    });
    const check = async (all: [string, string, string][], raw: Record<string, unknown>) => {
      const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length === 0) return;
      const { upcoming, neverVisited, firstVisitFrom, firstVisitTo, minVisits, minNoShows, notSeenSince } =
        given as ClientConditions;
      const rows = all.map(([id, start, status], index) => ({
        ...visit(id, start, status),
        id: `apt_${index}`,
      }));
      const expected = clients
        .map(({ id }) => id)
        .filter((id) => {
          const own = all.filter(([who]) => who === id);
          const came = ({ 2: status }: string[]) =>
            ['completed', 'arrived', 'in_service'].includes(String(status));
          const visits = own.filter((row) => came(row) && row[1] < asOf).map(([, start]) => start);
          const first = visits.toSorted()[0];
          const isOpen = (status: string) =>
            ['pending', 'confirmed', 'arrived', 'in_service'].includes(status);
          const isBooked = own.some(([, start, status]) => start >= asOf && isOpen(status));
          const missed = own.filter(([, start, status]) => status === 'no_show' && start < asOf).length;
          return (
            (upcoming === undefined || upcoming === isBooked) &&
            (neverVisited === undefined || visits.length === 0) &&
            (firstVisitFrom === undefined || (first !== undefined && first >= firstVisitFrom)) &&
            (firstVisitTo === undefined || (first !== undefined && first < firstVisitTo)) &&
            visits.length >= (minVisits ?? 0) &&
            missed >= (minNoShows ?? 0) &&
            (notSeenSince === undefined || !visits.some((start) => start >= notSeenSince))
          );
        });
      expect((await select({ clients, appointments: rows }, { ...given, asOf })).ids).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(fc.array(one, { maxLength: 16 }), wanted, check), {
      numRuns: countBySpeed(150),
    });
  });

  it('counts who is left out for being booked, where those not seen are wanted', async () => {
    const booked = [...appointments, visit('a', '2026-12-01T10:00:00Z', 'confirmed')];
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', upcoming: false, asOf };
    const { ids, facts } = await select({ clients, appointments: booked }, conditions);
    expect([ids, facts.booked]).toEqual([['c'], 1]);
  });

  it.each([
    ['a status of its own', { status: 'ELSEWHERE' }, 'have the status "ELSEWHERE"'],
    ['no status', { status: undefined }, 'have no status'],
    ['no client', { client_id: undefined }, 'do not show the client'],
    ['no start', { start_time: undefined }, 'do not show when they start'],
  ])('fails where appointments have %s', async (_what, change, reason) => {
    const odd = { ...visit('a', '2026-11-01T10:00:00Z'), ...change };
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    const error = await refusal(select({ clients, appointments: [odd] }, conditions));
    expect(error.code).toBe('not_supported');
    expect(error.message).toContain(`appointments on this server ${reason}`);
    const rows = [odd, visit('a', '2026-11-02T10:00:00Z'), odd];
    const some = await refusal(
      select({ clients, appointments: rows.map((row, id) => ({ ...row, id })) }, conditions),
    );
    expect(some.message).toContain(`Cannot tell who came: 2 of 3 appointments on this server ${reason}`);
  });

  it('is unverified where nothing proves that these are all visits', async () => {
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    const { unverified } = await select({ clients, appointments, hasTotals: false }, conditions);
    expect(unverified).toEqual(['the appointments']);
  });
});
