import { randomBytes } from 'node:crypto';
import { SalonError } from '../../src/contract/errors.ts';
import type { Role, Scope } from '../../src/contract/roles.ts';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
import { openAccountLimiter } from '../../src/service/domain/rate-limit.ts';
import { createServer } from '../../src/service/http/server.ts';
import { readSession } from '../../src/service/identity/sessions.ts';
import { openSecrets } from '../../src/service/secrets/secrets.ts';
import { addMember, addPerson, issueAppToken, issuePersonToken, signIn, type TestMember } from './members.ts';
import { createOperationRequests, type OperationRequests } from './operation-requests.ts';
import { sendRequest, type TestResponse } from './send-request.ts';
import { openTestService, type TestService } from './service.ts';

export type CredentialKind = 'session' | 'person token' | 'app token';

export interface NewCredential {
  readonly role: Role;
  /** By default the first account. */
  readonly accountId?: string;
  readonly scopes?: readonly Scope[];
}

/** A person and their credentials. */
export interface CredentialedPerson {
  readonly id: string;
  session(accountId: string): Promise<string>;
  token(accountId: string): Promise<string>;
}

/** A service to which people and apps send requests, not only keys. */
export interface Credentialed extends AsyncDisposable {
  readonly service: TestService;
  readonly database: Database;
  readonly requests: OperationRequests;
  /** Sends a request with a key, a token, or a session, which the pages use and the API does not accept. */
  send(method: string, path: string, sent: { key: string; body?: object | undefined }): Promise<TestResponse>;
  /** A credential of a new person or app. A stylist is the account's first one. */
  issue(kind: CredentialKind, credential: NewCredential): Promise<string>;
  addPerson(memberships: readonly TestMember[]): Promise<CredentialedPerson>;
}

const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };

export async function openCredentialed(): Promise<Credentialed> {
  const service = await openTestService();
  const database = await openDatabase(service.database);
  const sessions = await openSessionApi(database, service.database);

  async function addPersonTo(memberships: readonly TestMember[]): Promise<CredentialedPerson> {
    const id = await database.transaction(async (tx) => {
      const userId = await addPerson(tx, environment);
      for (const membership of memberships) await addMember(tx, environment, { ...membership, userId });
      return userId;
    });
    return {
      id,
      session: (accountId) =>
        database.transaction((tx) => signIn(tx, environment, { accountId, userId: id })),
      token: (accountId) =>
        database.transaction((tx) => issuePersonToken(tx, environment, { accountId, userId: id })),
    };
  }

  return {
    service,
    database,
    requests: createOperationRequests(service.origin, service),
    send: (method, path, { key, body }) => {
      const origin = /^sl[kt]_/.test(key) ? service.origin : sessions.origin;
      return sendRequest(`${origin}/api/v1${path}`, { method, key, ...(body === undefined ? {} : { body }) });
    },
    addPerson: addPersonTo,
    async issue(kind, { role, accountId = service.id, scopes }) {
      const limit = scopes === undefined ? {} : { scopes };
      const stylistId = role === 'stylist' ? service.stylistIds[0] : undefined;
      if (kind === 'app token') {
        return database.transaction((tx) => issueAppToken(tx, environment, { accountId, role, ...limit }));
      }
      const { id, session } = await addPersonTo([{ accountId, role, stylistId }]);
      if (kind === 'session') return session(accountId);
      return database.transaction((tx) =>
        issuePersonToken(tx, environment, { accountId, userId: id, ...limit }),
      );
    },
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await database.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The API, called with the token of a session, so that all rules are tried with the callers of the pages. */
async function openSessionApi(database: Database, location: string) {
  const secrets = openSecrets({ location, environment });
  const limiter = openAccountLimiter(database, environment);
  const app = createServer({
    context: { database, environment, secrets, checkAddress: async () => undefined },
    limiter,
    credentials: {
      async read(token) {
        const found = await readSession(database, environment, token);
        if (found === undefined) throw new SalonError('invalid_token', 'The session has ended.');
        return found.caller;
      },
      close: async () => {},
    },
    logLevel: 'silent',
    log: { write: () => {} },
    isReady: async () => true,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin: app.listeningOrigin,
    close: async () => {
      await app.close();
      await limiter.close();
    },
  };
}
