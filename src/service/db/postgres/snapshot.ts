import pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import type { DatabaseSnapshot, Schema } from '../engine.ts';
import { toOpenError } from './engine.ts';
import { toDatabaseError } from './errors.ts';
import { parsePostgresLocation } from './location.ts';
import { toClientConfig } from './pool.ts';
import { findStatement, sendStatement } from './statements.ts';

const rowsPerBatch = 500;

/** Runs a body on a database as of one moment. Throws `usage` for a database without a salon. */
export async function readPostgresSnapshot<Result>(
  address: string,
  body: (snapshot: DatabaseSnapshot) => Promise<Result>,
): Promise<Result> {
  return useConnection(address, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const text = "select has_table_privilege(to_regclass('accounts'), 'select') as is_readable";
    const { rows } = await client.query<{ is_readable: boolean | null }>(text);
    const { name, user } = parsePostgresLocation(address);
    if (rows[0]?.is_readable) return body(createSnapshot(client));
    if (rows[0]?.is_readable === false) {
      const hint = 'Use the owner of its tables.';
      throw new SalonError('usage', `The user "${user}" may not read ${name}.`, { hint });
    }
    const hint = 'Check the name of the database.';
    throw new SalonError('usage', `${name} contains no salon.`, { hint });
  });
}

/** Connects for work that may take long. */
export async function useConnection<Result>(
  address: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const location = parsePostgresLocation(address);
  const client = new pg.Client(toClientConfig(location));
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw toOpenError(error, location);
    });
    return await act(client);
  } catch (error) {
    throw toDatabaseError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function createSnapshot(client: pg.Client): DatabaseSnapshot {
  return {
    kind: 'postgres',
    reader: { run: async (text, values) => (await sendStatement(client, findStatement(text), values)).rows },
    readTables: () => readTables(client),
    readRows: <Row>(text: string) => readBatches<Row>(client, text),
    findDamage: () => findInvalidIndexes(client),
  };
}

/** The tables of the schema that the salon uses. Those of extensions are left out. */
export async function readTables(client: pg.ClientBase): Promise<Schema> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select c.relname as name, a.attname as column from pg_class as c join pg_attribute as a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
        and not exists (select 1 from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname, a.attnum`,
  );
  const schema = new Map<string, string[]>();
  for (const { name, column } of rows) schema.set(name, [...(schema.get(name) ?? []), column]);
  return schema;
}

export async function* readBatches<Row>(client: pg.ClientBase, text: string): AsyncGenerator<Row[]> {
  await client.query(`declare salon_rows no scroll cursor for ${text}`);
  try {
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsPerBatch} from salon_rows`);
      if (rows.length > 0) yield rows as Row[];
      if (rows.length < rowsPerBatch) break;
    }
  } finally {
    await client.query('close salon_rows').catch(() => {});
  }
}

/** The server checks pages as it reads them; an index that was built and failed is not used. */
async function findInvalidIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index as i join pg_class as c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  return rows.map(({ name }) => `The index ${name} is not valid: run "reindex index ${name}".`);
}
