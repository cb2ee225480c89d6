import { listKeyOriginStatements } from '../../key-origins.ts';
import { toMigration } from './statements.ts';

export const keyOriginsMigration = toMigration(...listKeyOriginStatements('text'));
