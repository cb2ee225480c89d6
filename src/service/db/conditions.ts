/** A value bound to a `?` in a statement. */
export type SqlValue = number | string | null;

/** Columns that lists are filtered by. */
export type FilterColumn =
  | 'client_id'
  | 'appointment_id'
  | 'stylist_id'
  | 'status'
  | 'type'
  | 'webhook_id'
  | 'start_ms'
  | 'created_ms'
  | 'updated_ms'
  | 'email'
  | 'phone_digits'
  | 'search';

/** A filter on rows, as data. */
export type Condition =
  | { readonly column: FilterColumn; readonly is: '=' | '>=' | '<'; readonly value: number | string }
  | { readonly column: FilterColumn; readonly isOneOf: readonly string[] }
  | { readonly column: FilterColumn; readonly contains: string }
  | { readonly anyOf: readonly Condition[] };

/** Renders a condition as SQL and appends its values to `values`. */
export function renderCondition(condition: Condition, values: SqlValue[]): string {
  if ('anyOf' in condition) {
    return `(${condition.anyOf.map((one) => renderCondition(one, values)).join(' or ')})`;
  }
  const { column } = condition;
  if ('isOneOf' in condition) {
    values.push(...condition.isOneOf);
    return `${column} in (${condition.isOneOf.map(() => '?').join(', ')})`;
  }
  if ('contains' in condition) {
    values.push(`%${condition.contains.replaceAll(/[\\%_]/g, '\\$&')}%`);
    // A server may have an index of trigrams, which serves LIKE alone.
    return `${column} like ? escape '\\'`;
  }
  values.push(condition.value);
  return `${column} ${condition.is} ?`;
}
