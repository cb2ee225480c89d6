import { SalonError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import type { StatementWatch } from './slow-statements.ts';

/** A database whose writes are watched. */
export interface WatchedDatabase {
  readonly database: Database;
  /** Why the latest write was not possible; undefined if it was. */
  findWriteFailure(): string | undefined;
}

/** Several bodies share a transaction, so each is bound to what belongs to its own request. */
export function watchWrites(database: Database, { bind }: Pick<StatementWatch, 'bind'>): WatchedDatabase {
  let failure: string | undefined;
  const watched: Database = {
    ...database,
    async transaction(lock, body) {
      try {
        const result = await database.transaction(lock, bind(body));
        failure = undefined;
        return result;
      } catch (error) {
        if (error instanceof SalonError && error.status === 503) failure = error.message;
        throw error;
      }
    },
  };
  return { database: watched, findWriteFailure: () => failure };
}
