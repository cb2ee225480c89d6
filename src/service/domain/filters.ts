import type { Violation } from '../../contract/errors.ts';
import type { Access } from '../../contract/roles.ts';
import type { Condition, FilterColumn } from '../db/rows.ts';
import type { Context } from './context.ts';
import type { CollectionQuery } from './list-page.ts';
import { assertStorableQuery, assertValidQuery, parseRangeBound } from './validation.ts';

/** How the parameters of a list filter it. */
export interface ListFilters {
  /** Parameters that equal the column of the same name. */
  readonly equal: readonly FilterColumn[];
  /** The values of `status`, which accepts a comma-separated list. */
  readonly statuses: readonly string[];
  /** Parameters for the inclusive start or the exclusive end of a time range. */
  readonly ranges: readonly {
    readonly parameter: string;
    readonly edge: 'begin' | 'end';
    readonly column: FilterColumn;
  }[];
}

/** Turns a query into conditions. Throws `invalid_parameter` with all violations. */
export function toConditions(query: object, { equal, statuses, ranges }: ListFilters): Condition[] {
  assertStorableQuery(query);
  const given = new Map(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const conditions: Condition[] = [];
  const violations: Violation[] = [];
  for (const column of equal) {
    const value = given.get(column);
    if (value !== undefined) {
      conditions.push({ column, is: '=', value });
    }
  }
  const wanted = given.get('status')?.split(',');
  if (wanted !== undefined) {
    const unknown = wanted.find((status) => !statuses.includes(status));
    if (unknown !== undefined) {
      const detail = `status "${unknown}" is not one of ${statuses.join(', ')}.`;
      violations.push({ parameter: 'status', code: 'invalid_format', detail });
    }
    conditions.push({ column: 'status', isOneOf: [...new Set(wanted)] });
  }
  for (const { parameter, edge, column } of ranges) {
    const text = given.get(parameter);
    if (text !== undefined) {
      const ms = parseRangeBound(text, edge);
      if (ms === undefined) {
        const detail = `${parameter} must be an RFC 3339 time with a time zone, or a date.`;
        violations.push({ parameter, code: 'invalid_format', detail });
      }
      conditions.push({ column, is: edge === 'begin' ? '>=' : '<', value: ms ?? 0 });
    }
  }
  assertValidQuery(violations);
  return conditions;
}

/** A list of records that belong to stylists. With `own` access, only those of the caller's stylist. */
export function limitToOwn({ caller }: Context, access: Access, list: CollectionQuery): CollectionQuery {
  if (access === 'all') return list;
  // A key without a stylist matches nothing.
  const stylistId = caller.stylistId ?? '';
  const own: Condition = { column: 'stylist_id', is: '=', value: stylistId };
  return { ...list, conditions: [own, ...list.conditions], stylistId };
}
