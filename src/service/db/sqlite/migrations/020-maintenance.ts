import { toMigration } from './statements.ts';

/** Settings of the database itself. */
export const maintenanceMigration = toMigration(
  'create table database_settings (name text not null primary key, value text not null)',
);
