import { toMigration } from './statements.ts';

/** What an erasure has to find. */
export const erasureMigration = toMigration();
