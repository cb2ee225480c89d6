import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import type { DatabaseSnapshot, Schema } from '../engine.ts';
import { refuseForeignLog } from './epoch.ts';
import { assertSafeVersion, assertSalonDatabase, openReading, toFileError } from './salon-file.ts';
import { createRunner, toReader } from './statements.ts';

const rowsPerBatch = 500;
const maxProblems = 20;

/** Opens a file for reading alone; it is neither created nor migrated. Throws `usage` for anything but a salon. */
export function openSalonFile(file: string): DatabaseSync {
  assertSafeVersion();
  // Anything but a file, such as a FIFO, could be waited for.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new SalonError('usage', `No database ${file}.`, { hint: 'Check the name.' });
  }
  refuseForeignLog(file);
  const reading = openReading(file);
  try {
    assertSalonDatabase(reading, file);
    assertFilled(reading, file);
    return reading;
  } catch (error) {
    reading.close();
    throw toFileError(error, file);
  }
}

/** An interrupted program may leave an empty file, which would be taken for an empty salon. */
function assertFilled(connection: DatabaseSync, file: string): void {
  if (connection.prepare('select 1 from sqlite_schema where name = ?').get('accounts') !== undefined) return;
  throw new SalonError('usage', `${file} contains no salon.`, { hint: 'Check the name of the database.' });
}

/** Runs a body on a database as of one moment. Writers are not blocked. Throws `usage` as for opening. */
export async function readSqliteSnapshot<Result>(
  file: string,
  body: (snapshot: DatabaseSnapshot) => Promise<Result>,
): Promise<Result> {
  const reading = openSalonFile(file);
  try {
    reading.exec('begin');
    return await body(createSnapshot(reading));
  } catch (error) {
    throw toFileError(error, file);
  } finally {
    reading.close();
  }
}

function createSnapshot(reading: DatabaseSync): DatabaseSnapshot {
  return {
    kind: 'sqlite',
    reader: toReader(createRunner(reading)),
    readTables: async () => readTables(reading),
    readRows: <Row>(text: string) => readBatches<Row>(reading, text),
    findDamage: async () => {
      const damage = checkIntegrity(reading);
      return damage.length > 0 ? damage : [...checkReferences(reading), ...checkSearchIndex(reading)];
    },
  };
}

/** Without the tables that SQLite keeps for itself and for the search index. */
export function readTables(reading: DatabaseSync): Schema {
  const rows = reading
    .prepare(
      `select t.name as name, c.name as column from pragma_table_list as t, pragma_table_info(t.name) as c
        where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`,
    )
    .all();
  const schema = new Map<string, string[]>();
  for (const { name, column } of rows) {
    schema.set(String(name), [...(schema.get(String(name)) ?? []), String(column)]);
  }
  return schema;
}

export async function* readBatches<Row>(reading: DatabaseSync, text: string): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for (const row of reading.prepare(text).iterate()) {
    batch.push(row as Row);
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Also checks the search index against itself. */
function checkIntegrity(reading: DatabaseSync): string[] {
  const rows = reading.prepare(`pragma integrity_check(${maxProblems})`).all();
  const problems = rows.map((row) => String(Object.values(row)[0]));
  return problems.length === 1 && problems[0] === 'ok' ? [] : problems;
}

function checkReferences(reading: DatabaseSync): string[] {
  const rows = reading
    .prepare(
      `select "table" as child, parent, count(*) as count from pragma_foreign_key_check
        group by 1, 2 limit ${maxProblems}`,
    )
    .all();
  return rows.map(({ child, parent, count }) => `${count} rows of ${child} refer to missing ${parent}.`);
}

/** Whether the search index has an entry for every client, and no other. Its table of sizes has a row for each. */
function checkSearchIndex(reading: DatabaseSync): string[] {
  const text = `select
    (select count(*) from clients where row not in (select id from client_search_docsize)) as missing,
    (select count(*) from client_search_docsize where id not in (select row from clients)) as surplus`;
  const { missing, surplus } = reading.prepare(text).get() ?? {};
  if (missing === 0 && surplus === 0) return [];
  return [`The search index lacks ${missing} of the clients and has ${surplus} others.`];
}
