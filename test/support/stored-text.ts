import { existsSync, readFileSync } from 'node:fs';
import { openDatabase } from '../../src/service/db/database.ts';
import { listTables } from './salon-state.ts';

/** All that the database at a location stores: its file and log, or on PostgreSQL the rows of all tables. */
export async function readStored(location: string): Promise<string> {
  if (location.startsWith('sqlite:')) {
    const file = location.replace('sqlite:', '');
    const files = [file, `${file}-wal`].filter((name) => existsSync(name));
    return files.map((name) => readFileSync(name, 'latin1')).join('\n');
  }
  await using database = await openDatabase(location);
  const texts: string[] = [];
  for (const name of await listTables(database)) {
    const text = `select row_to_json(t)::text as text from ${name} as t`;
    texts.push(...(await database.reader.run<{ text: string }>(text, [])).map((row) => row.text));
  }
  return texts.join('\n');
}
