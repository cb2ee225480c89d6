import { readFileSync } from 'node:fs';
import type { TestDatabase } from './database.ts';

/** All that a database stores: the file, which is closed before, or on PostgreSQL the rows of all tables. */
export async function readStored({ database, file }: TestDatabase): Promise<string> {
  if (database.kind === 'sqlite') {
    await database.close();
    return readFileSync(file).toString('latin1');
  }
  const { reader } = database;
  const tables = await reader.run<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = current_schema()',
    [],
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await reader.run<{ text: string }>(
      `select row_to_json(t)::text as text from ${name} as t`,
      [],
    );
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}
