import { toMigration } from './statements.ts';

/** Keys of salon data lead with the account. */
export const accountKeysMigration = toMigration();
