import { toMigration } from './statements.ts';

/** Limits that several processes keep together. */
export const limitsMigration = toMigration();
