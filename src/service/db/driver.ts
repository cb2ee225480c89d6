import type { DatabaseConnection, Driver } from 'kysely';

/** A Kysely driver for one connection, whose transactions the engine begins and ends. */
export function createDriver(connection: Omit<DatabaseConnection, 'streamQuery'>): Driver {
  const streamable = { ...connection, streamQuery: refuseStreams };
  const refuse = async () => {
    throw new Error('Transactions are begun by the engine.');
  };
  return {
    init: async () => {},
    acquireConnection: async () => streamable,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
}

export function refuseStreams(): never {
  throw new Error('Streaming is not supported.');
}
