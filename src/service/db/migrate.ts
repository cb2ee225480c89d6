import { SalonError } from '../../contract/errors.ts';
import type { Engine } from './engine.ts';
import { type Migrations, migrations, minimumVersion } from './migrations.ts';
import { renderStatements } from './schema.ts';

/** A database whose migrations are read. */
interface MigratedDatabase {
  readonly kind: Engine['kind'];
  run<Row>(text: string): Promise<Row[]>;
}

export interface MigrationTarget extends MigratedDatabase {
  /** For messages. */
  readonly name: string;
  /** Runs a body in a transaction that keeps other migrating processes away. It may run again. */
  transaction(body: () => Promise<void>): Promise<void>;
}

/** The first statement of a migrating transaction. */
export const createMigrationsTable = `create table if not exists salon_migrations (name text not null primary key,
  applied_at timestamptz not null default current_timestamp)`;

/** SQLite databases that are older than the baseline recorded their migrations with another library. */
const findTables: Readonly<Record<Engine['kind'], string>> = {
  sqlite: `select name from sqlite_schema
    where type = 'table' and name in ('salon_migrations', 'kysely_migration')`,
  postgres: "select 'salon_migrations' as name where to_regclass('salon_migrations') is not null",
};

/** Where a database keeps the highest `minimumVersion` of all programs that have migrated it. */
const minimumSetting = 'minimum_version';

/** Brings the schema up to date. Of several processes that open a database at once, one migrates it. Throws `usage`. */
export async function migrate(target: MigrationTarget, known: Migrations = migrations): Promise<void> {
  while ((await readPending(target, target.name, known)).length > 0) {
    await target.transaction(async () => {
      const pending = await readPending(target, target.name, known);
      // A file changes completely or not at all. A server holds the locks of one migration at a time.
      for (const name of target.kind === 'sqlite' ? pending : pending.slice(0, 1)) {
        await apply(target, name, known);
      }
    });
  }
}

async function apply({ kind, run }: MigrationTarget, name: string, known: Migrations): Promise<void> {
  for (const text of renderStatements(known[name] ?? [], kind)) await run(text);
  await run(`insert into salon_migrations (name) values ('${name}')`);
  await run(`insert into database_settings as old (name, value) values ('${minimumSetting}', '${minimumVersion}')
    on conflict (name) do update set value = excluded.value where excluded.value > old.value`);
}

/** The migrations that a database has, in order. */
export async function readMigrations({ kind, run }: MigratedDatabase): Promise<string[]> {
  const names: string[] = [];
  for (const table of await run<{ name: string }>(findTables[kind])) {
    const rows = await run<{ name: string }>(`select name from ${table.name}`);
    names.push(...rows.map(({ name }) => name));
  }
  // Earlier versions locked a row of this name.
  return names.filter((name) => name !== '000-lock').toSorted();
}

/**
 * The migrations that a database lacks, in order. Throws `usage` for a database from before the baseline, and one that a
 * newer version of salon has changed so far that this one cannot work with it.
 */
export async function readPending(
  database: MigratedDatabase,
  name: string,
  known: Migrations = migrations,
): Promise<string[]> {
  const names = Object.keys(known);
  const [oldest, newest] = [toVersion(names[0]), toVersion(names.at(-1))];
  const done = (await readMigrations(database)).map(toVersion);
  const last = done.at(-1);
  if (last === undefined) return names;
  if (last < oldest) {
    throw new SalonError('usage', `${name} was written by a version of salon that is no longer supported.`, {
      hint: 'Export its records with that version, and start with a new database.',
    });
  }
  if (((await readMinimum(database)) ?? last) > newest) {
    throw new SalonError('usage', `${name} was written by a newer version of salon.`, {
      hint: 'Update salon and try again.',
    });
  }
  return names.filter((migration) => !done.includes(toVersion(migration)));
}

async function readMinimum({ run }: MigratedDatabase): Promise<string | undefined> {
  const text = `select value from database_settings where name = '${minimumSetting}'`;
  return (await run<{ value: string }>(text))[0]?.value;
}

/** The number that a migration's name begins with. */
function toVersion(migration = ''): string {
  return migration.slice(0, 3);
}
