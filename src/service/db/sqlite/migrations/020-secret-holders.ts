import { toMigration } from './statements.ts';

/** Who got the secret of an OAuth client last: not always its creator. */
export const secretHoldersMigration = toMigration('alter table oauth_clients add column secret_by text');
