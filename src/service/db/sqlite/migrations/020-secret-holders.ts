import { toMigration } from './statements.ts';

/** Who generated the current secret of an OAuth client: not always its creator. */
export const secretHoldersMigration = toMigration('alter table oauth_clients add column secret_by text');
