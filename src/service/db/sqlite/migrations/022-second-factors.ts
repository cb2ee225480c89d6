import { toMigration } from './statements.ts';

/** Which accounts require a second factor, and which sessions began with one. */
export const secondFactorsMigration = toMigration(
  'alter table accounts add column requires_second_factor integer not null default 0',
  'alter table sessions add column has_second_factor integer not null default 0',
);
