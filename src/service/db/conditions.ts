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

/** Renders that a column contains a text, and appends its value: engines differ in how they find it. */
export type RenderContains = (column: FilterColumn, text: string, values: SqlValue[]) => string;

/** SQLite's own function: its LIKE gives % and _ a meaning. */
const renderInstr: RenderContains = (column, text, values) => {
  values.push(text);
  return `instr(${column}, ?) > 0`;
};

/** Renders a condition as SQL and appends its values to `values`. */
export function renderCondition(
  condition: Condition,
  values: SqlValue[],
  renderContains = renderInstr,
): string {
  if ('anyOf' in condition) {
    return `(${condition.anyOf.map((one) => renderCondition(one, values, renderContains)).join(' or ')})`;
  }
  const { column } = condition;
  if ('isOneOf' in condition) {
    values.push(...condition.isOneOf);
    return `${column} in (${condition.isOneOf.map(() => '?').join(', ')})`;
  }
  if ('contains' in condition) return renderContains(column, condition.contains, values);
  values.push(condition.value);
  return `${column} ${condition.is} ?`;
}
