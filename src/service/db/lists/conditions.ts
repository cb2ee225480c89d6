/** Columns that lists are filtered by. */
export type FilterColumn =
  | 'client_id'
  | 'appointment_id'
  | 'stylist_id'
  | 'status'
  | 'start_ms'
  | 'created_ms'
  | 'updated_ms'
  | 'email'
  | 'phone_digits'
  | 'search';

/** Something a row must fulfil, as data. */
export type Condition =
  | { readonly column: FilterColumn; readonly is: '=' | '>=' | '<'; readonly value: number | string }
  | { readonly column: FilterColumn; readonly isOneOf: readonly string[] }
  | { readonly column: FilterColumn; readonly contains: string }
  | { readonly anyOf: readonly Condition[] };

/** Values of a statement, by the names they have in it. */
export type Values = Record<string, number | string | null>;

/** A condition as SQL. What it compares with goes into `values`, under names that are not taken there. */
export function renderCondition(condition: Condition, values: Values): string {
  if ('anyOf' in condition) {
    return `(${condition.anyOf.map((one) => renderCondition(one, values)).join(' or ')})`;
  }
  const { column } = condition;
  if ('isOneOf' in condition) {
    return `${column} in (${condition.isOneOf.map((value) => bind(value, values)).join(', ')})`;
  }
  // Finds a part of a text literally: LIKE would give % and _ a meaning.
  if ('contains' in condition) {
    return `instr(${column}, ${bind(condition.contains, values)}) > 0`;
  }
  return `${column} ${condition.is} ${bind(condition.value, values)}`;
}

function bind(value: number | string, values: Values): string {
  const name = `value${Object.keys(values).length}`;
  values[name] = value;
  return `:${name}`;
}
