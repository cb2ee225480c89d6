import { toMigration } from './statements.ts';

/** What receivers of webhooks answered. */
export const responsesMigration = toMigration('alter table delivery_attempts add column response text');
