import { toMigration } from './statements.ts';

/** Settings of the database itself, such as the minimum version. */
export const databaseSettingsMigration = toMigration(
  'create table database_settings (name text not null primary key, value text not null)',
);
