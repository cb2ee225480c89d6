import { type RawBuilder, sql } from 'kysely';

/** Columns that lists are filtered by. */
type Column =
  | 'client_id'
  | 'stylist_id'
  | 'status'
  | 'start_ms'
  | 'updated_ms'
  | 'email'
  | 'phone_digits'
  | 'search';

/** Something a row must fulfil, as data. */
export type Condition =
  | { readonly column: Column; readonly is: '=' | '>=' | '<'; readonly value: number | string }
  | { readonly column: Column; readonly isOneOf: readonly string[] }
  | { readonly column: Column; readonly contains: string }
  | { readonly anyOf: readonly Condition[] };

export function toSql(condition: Condition): RawBuilder<boolean> {
  if ('anyOf' in condition) {
    return sql`(${sql.join(condition.anyOf.map(toSql), sql` or `)})`;
  }
  const column = sql.ref(condition.column);
  if ('isOneOf' in condition) {
    return sql`${column} in (${sql.join(condition.isOneOf)})`;
  }
  // Finds a part of a text literally: LIKE would give % and _ a meaning.
  if ('contains' in condition) {
    return sql`instr(${column}, ${condition.contains}) > 0`;
  }
  return sql`${column} ${sql.raw(condition.is)} ${condition.value}`;
}
