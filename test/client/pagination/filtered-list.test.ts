import { describe, expect, it } from 'vitest';
import { createFilterCheck } from '../../../src/client/pagination/filtered-list.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

describe('a filter check', () => {
  it.each([
    [{ status: 'confirmed,arrived' }, { status: 'arrived' }, undefined],
    [{ status: 'confirmed' }, { status: 'no_show' }, 'status'],
    [{ client_id: 'cli_1' }, { client_id: 'cli_2' }, 'client_id'],
    [{ appointment_id: 'apt_1' }, { appointment_id: 'apt_2' }, 'appointment_id'],
    [{ appointment_id: 'apt_1' }, { appointment_id: null }, 'appointment_id'],
    [{ created_from: '2026-01-02T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, 'created_from'],
    [{ created_to: '2026-01-02T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, undefined],
    [{ created_to: '2026-01-01T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, 'created_to'],
    [{ email: 'Ana@x.test' }, { email: 'ana@X.test' }, undefined],
    [{ phone: '+351 912' }, { phone: '+351912' }, undefined],
    [{ start_time_from: '2026-01-01T00:00:00Z' }, { start_time: '2026-01-01T01:00:00+01:00' }, undefined],
    [{ start_time_to: '2026-01-01T00:00:00Z' }, { start_time: '2026-01-01T00:00:00Z' }, 'start_time_to'],
    [{ updated_since: '2026-01-02T00:00:00Z' }, { updated_at: '2026-01-01T00:00:00Z' }, 'updated_since'],
    [{ status: 'confirmed' }, { state: 'x' }, undefined],
    [{ status: 'confirmed' }, null, undefined],
  ])('for %j and the row %j finds %s', (query, row, found) => {
    expect(createFilterCheck(query)?.(row)).toBe(found);
  });

  it('is undefined if no filter can be checked', () => {
    expect(createFilterCheck({ q: 'ana', sort: 'start_time', email: undefined })).toBeUndefined();
  });
});

describe('a list from a server that ignores filters', () => {
  const statuses = ['confirmed', 'cancelled', 'confirmed', 'no_show', 'confirmed', 'confirmed'];
  const all = statuses.map((status, index) => ({ id: `apt_${index}`, status }));

  function page({ query }: Received) {
    const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
    const data = all.slice((number - 1) * size, number * size);
    return json({ data, pagination: { page: number, per_page: size, total: all.length } });
  }

  it.each([
    [undefined, ['apt_0', 'apt_2', 'apt_4', 'apt_5']],
    [3, ['apt_0', 'apt_2', 'apt_4']],
    [1, ['apt_0']],
  ])('with limit %s has only matching rows, with one warning', async (limit, ids) => {
    await using server = await openMisbehavingServer(page);
    await using client = openClient(server.origin);
    const pages = await collect(client.appointments.list({ status: 'confirmed' }, { limit }));
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    const warnings = client.events.filter(({ type }) => type === 'warning');
    expect(warnings).toHaveLength(limit === 1 ? 0 : 1);
  });
});
