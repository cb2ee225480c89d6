import type { Violation } from '../../contract/errors.ts';
import type { Condition, FilterColumn } from '../db/conditions.ts';
import { invalidQuery, parseRangeBound } from './validation.ts';

/** Which parameters of a list's query narrow it, and by which columns. */
export interface ListFilters {
  /** Parameters that a column of the same name must equal. */
  readonly equal: readonly FilterColumn[];
  /** What `status` may name, one or several with commas. */
  readonly statuses: readonly string[];
  /** Parameters that say where a range of time begins, itself inside, or ends, itself outside. */
  readonly edges: readonly {
    readonly parameter: string;
    readonly edge: 'begin' | 'end';
    readonly column: FilterColumn;
  }[];
}

/** What the rows a query asks for must fulfil. Throws `invalid_parameter`, which names all that is wrong. */
export function toConditions(query: object, { equal, statuses, edges }: ListFilters): Condition[] {
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
  for (const { parameter, edge, column } of edges) {
    const text = given.get(parameter);
    if (text !== undefined) {
      const ms = parseRangeBound(text, edge);
      if (ms === undefined) {
        const detail = `${parameter} must be an RFC 3339 time with a zone, or a day.`;
        violations.push({ parameter, code: 'invalid_format', detail });
      }
      conditions.push({ column, is: edge === 'begin' ? '>=' : '<', value: ms ?? 0 });
    }
  }
  if (violations.length > 0) {
    throw invalidQuery(violations);
  }
  return conditions;
}
