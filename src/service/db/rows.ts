/** A statement and its values, for `run`. */
type Statement = [text: string, values: SqlValue[]];

/** Columns and the values that they must have. */
type Match = Readonly<Record<string, SqlValue | undefined>>;

type Columns<Row> = { readonly [Name in keyof Row]: SqlValue };

/** Inserts rows that all have the same columns. `ending` is what follows, such as `on conflict (id) do nothing`. */
export function toInsert<Row extends Columns<Row>>(
  table: string,
  rows: readonly Row[],
  ending = '',
): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const text = `insert into ${table} (${columns.join(', ')}) values ${rows.map(() => tuple).join(', ')} ${ending}`;
  return [text, rows.flatMap((row) => Object.values<SqlValue>(row))];
}

/** Inserts a row, or replaces the one with the same key. */
export function toUpsert<Row extends Columns<Row>>(
  table: string,
  row: Row,
  key: readonly (string & keyof Row)[],
): Statement {
  const others = Object.keys(row).filter((column) => !key.some((name) => name === column));
  const changes = others.map((column) => `${column} = excluded.${column}`);
  return toInsert(table, [row], `on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`);
}

/** Changes columns of the rows that match. */
export function toUpdate<Row extends Columns<Row>>(table: string, change: Row, where: Match): Statement {
  const changes = Object.keys(change).map((column) => `${column} = ?`);
  const [match, values] = toMatch(where);
  const text = `update ${table} set ${changes.join(', ')} where ${match}`;
  return [text, [...Object.values<SqlValue>(change), ...values]];
}

/** The condition that columns have values, or are null. Undefined ones do not matter. */
export function toMatch(columns: Match): Statement {
  const matched = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value }],
  );
  const conditions = matched.map(({ column, value }) => `${column} ${value === null ? 'is null' : '= ?'}`);
  return [conditions.join(' and '), matched.flatMap(({ value }) => value ?? [])];
}

/** A value bound to a `?` in a statement. */
export type SqlValue = number | string | null;

/** Columns that lists are filtered by. */
export type FilterColumn =
  | 'client_id'
  | 'appointment_id'
  | 'stylist_id'
  | 'status'
  | 'payment'
  | 'type'
  | 'webhook_id'
  | 'start_ms'
  | 'end_ms'
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
  | { readonly column: FilterColumn; readonly isNull: true }
  | { readonly anyOf: readonly Condition[] };

/** Renders a condition as SQL and appends its values to `values`. */
export function renderCondition(condition: Condition, values: SqlValue[]): string {
  if ('anyOf' in condition) {
    return `(${condition.anyOf.map((one) => renderCondition(one, values)).join(' or ')})`;
  }
  const { column } = condition;
  if ('isNull' in condition) return `${column} is null`;
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
