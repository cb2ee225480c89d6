import type { Database } from '../../src/service/db/database.ts';

/** Tables that record what happened, and what no request sees. */
const logs = /^(?:audit_\w+|events|deliveries|delivery_attempts|idempotency_keys|merged_clients)$/;
const notCompared = /^(?:sqlite_|kysely_|rate_windows|request_counts|client_search)/;
const tableNames = {
  sqlite: "select name from sqlite_schema where type = 'table'",
  postgres: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
} as const;

/** The names of all tables. */
export async function listTables({ reader, kind }: Database): Promise<string[]> {
  return (await reader.run<{ name: string }>(tableNames[kind], [])).map(({ name }) => name);
}

/**
 * Every table of a database row by row, without versions, positions given out and times of changes and uses, so that two
 * states of a salon can be compared. Logs are left out unless asked for.
 */
export async function readSalon(
  database: Database,
  { withLogs = false }: { readonly withLogs?: boolean } = {},
): Promise<Record<string, unknown[]>> {
  const { reader } = database;
  const salon: Record<string, unknown[]> = {};
  for (const name of await listTables(database)) {
    if (notCompared.test(name) || (logs.test(name) && !withLogs)) continue;
    const rows = await reader.run<Record<string, unknown>>(`select * from ${name}`, []);
    salon[name] = rows.map(withoutTimes).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return salon;
}

/** The number of a row is for the search index alone. */
function withoutTimes({
  version,
  last_seq,
  updated_ms,
  folded_ms,
  last_used_ms,
  row: _number,
  ...row
}: Record<string, unknown>): Record<string, unknown> {
  if (typeof row['record'] !== 'string') return row;
  const { updated_at, ...record } = JSON.parse(row['record']);
  return { ...row, record };
}
