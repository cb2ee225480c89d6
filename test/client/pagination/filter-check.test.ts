import { describe, expect, it } from 'vitest';
import { createFilterChecks } from '../../../src/client/pagination/filter-check.ts';

function matches(query: Readonly<Record<string, string>>, row: unknown): boolean | undefined {
  return createFilterChecks(query)[0]?.matches(row);
}

describe('a filter check', () => {
  it.each([
    [{ status: 'confirmed,arrived' }, { status: 'arrived' }, true],
    [{ status: 'confirmed' }, { status: 'no_show' }, false],
    [{ client_id: 'cli_1' }, { client_id: 'cli_2' }, false],
    [{ client_id: '7' }, { client_id: 7 }, true],
    [{ client_id: '7' }, { clientId: 8 }, undefined],
    [{ appointment_id: 'apt_1' }, { appointment_id: null }, false],
    [{ created_from: '2026-01-02T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, false],
    [{ created_to: '2026-01-02T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, true],
    [{ created_to: '2026-01-01T00:00:00Z' }, { created_at: '2026-01-01T00:00:00Z' }, false],
    [{ email: 'Ana@x.test' }, { email: 'ana@X.test' }, true],
    [{ email: 'ana@x.test' }, { email: 'bo@x.test' }, false],
    [{ phone: '+351 912' }, { phone: '+351912' }, true],
    [{ phone: '+351 912' }, { phone: '351-912' }, true],
    [{ start_time_from: '2026-01-01T00:00:00Z' }, { start_time: '2026-01-01T01:00:00+01:00' }, true],
    [{ start_time_to: '2026-01-01T00:00:00Z' }, { start_time: '2026-01-01T00:00:00Z' }, false],
    [{ updated_since: '2026-01-02T00:00:00Z' }, { updated_at: '2026-01-01T00:00:00Z' }, false],
    [{ updated_since: '2026-01-02T00:00:00Z' }, { updated_at: 1_767_225_600 }, false],
    [{ status: 'confirmed' }, { state: 'x' }, undefined],
    [{ email: 'ana@x.test' }, { email: ['ana@x.test'] }, undefined],
    [{ status: 'confirmed' }, null, undefined],
    [{ q: 'garcia' }, { last_name: 'García' }, true],
    [{ q: 'ana garcía' }, { first_name: 'Ana', contact: { last: 'GARCIA' } }, true],
    [{ q: '0912 345' }, { phone: '+351 912345678' }, true],
    [{ q: 'bo' }, { last_name: 'García' }, undefined],
  ])('for %j and the row %j says %s', (query, row, result) => {
    expect(matches(query as Record<string, string>, row)).toBe(result);
  });

  it('is left out for what is not a filter of the contract, or not set', () => {
    expect(createFilterChecks({ sort: 'start_time', email: undefined, vip: true })).toEqual([]);
  });
});
