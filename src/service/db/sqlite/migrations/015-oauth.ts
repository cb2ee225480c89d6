import { toMigration } from './statements.ts';

/** OAuth clients, grants and tokens. */
export const oauthMigration = toMigration();
