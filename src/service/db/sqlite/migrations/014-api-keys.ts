import { toMigration } from './statements.ts';

/** Creators, last use and address lists of API keys. */
export const apiKeysMigration = toMigration();
