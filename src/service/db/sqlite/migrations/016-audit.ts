import { toMigration } from './statements.ts';

/** The audit log. */
export const auditMigration = toMigration();
