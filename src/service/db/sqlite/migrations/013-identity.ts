import { toMigration } from './statements.ts';

/** People, their memberships and sessions. */
export const identityMigration = toMigration();
