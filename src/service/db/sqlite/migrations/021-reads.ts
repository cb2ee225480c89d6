import { toMigration } from './statements.ts';

/** Indexes for streamed and sorted lists. */
export const readsMigration = toMigration();
