import { randomBytes } from 'node:crypto';
import { SalonError } from '../../src/contract/errors.ts';
import type { Role, Scope } from '../../src/contract/roles.ts';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
import type { Writer } from '../../src/service/db/engine.ts';
import type { Caller, Context, Environment } from '../../src/service/domain/context.ts';
import { openAccountLimiter } from '../../src/service/domain/rate-limit.ts';
import type { AppContext } from '../../src/service/http/authentication.ts';
import { createServer } from '../../src/service/http/server.ts';
import { readSession } from '../../src/service/identity/sessions.ts';
import { createReadiness } from '../../src/service/monitoring/readiness.ts';
import { openSecrets } from '../../src/service/secrets/secrets.ts';
import { addApp, issueAppToken, issuePersonToken, signIn } from './issue-credentials.ts';
import { addMember, type NewPerson } from './members.ts';
import { createOperationRequests, type OperationRequests } from './operation-requests.ts';
import { sendRequest, type TestResponse } from './send-request.ts';
import { openTestService, type TestService } from './service.ts';

type CredentialKind = 'session' | 'person token' | 'app token';

interface NewCredential {
  readonly role: Role;
  /** By default the first account. */
  readonly accountId?: string;
  readonly scopes?: readonly Scope[];
}

type Membership = Pick<NewPerson, 'role' | 'stylistId'> & { readonly accountId: string };

/** A person and their credentials. */
interface CredentialedPerson {
  readonly id: string;
  session(accountId: string): Promise<string>;
  token(accountId: string): Promise<string>;
}

/** A service to which people and apps send requests, not only keys. */
export interface Credentialed extends AsyncDisposable {
  readonly service: TestService;
  readonly requests: OperationRequests;
  /** Sends a request with a key, a token, or a session, which the pages use and the API does not accept. */
  send(method: string, path: string, sent: { key: string; body?: object | undefined }): Promise<TestResponse>;
  /** A credential of a new person or app. A stylist is the account's first one. */
  issue(kind: CredentialKind, credential: NewCredential): Promise<string>;
  /** The context of a session, as a page has it. */
  toContext(session: string): Promise<Context>;
  /** Changes the database. */
  change<Result>(act: (tx: Writer, environment: Environment) => Promise<Result>): Promise<Result>;
  addPerson(memberships: readonly Membership[]): Promise<CredentialedPerson>;
}

const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };

export async function openCredentialed(): Promise<Credentialed> {
  const service = await openTestService();
  const database = await openDatabase(service.database);
  const context: AppContext = {
    ...{ database, environment },
    secrets: openSecrets({ location: service.database, environment: { ...environment, env: service.env } }),
    checkAddress: async () => undefined,
  };
  const sessions = await openSessionApi(context);
  let count = 0;
  /** By account and role; their number is limited. */
  const apps = new Map<string, string>();
  const change: Credentialed['change'] = (act) =>
    database.transaction('service', (tx) => act(tx, environment));

  async function addPersonTo(memberships: readonly Membership[]): Promise<CredentialedPerson> {
    count += 1;
    const email = `person-${count}@salon.example`;
    const ids: string[] = [];
    for (const membership of memberships) {
      ids.push(await addMember(database, environment, { ...membership, email }));
    }
    const [id = ''] = ids;
    return {
      id,
      session: (accountId) => change((tx) => signIn(tx, environment, { accountId, userId: id })),
      token: (accountId) => change((tx) => issuePersonToken(tx, environment, { accountId, userId: id })),
    };
  }

  return {
    service,
    requests: createOperationRequests(service.origin, service),
    send: (method, path, { key, body }) => {
      const origin = /^sl[kt]_/.test(key) ? service.origin : sessions.origin;
      return sendRequest(`${origin}/api/v1${path}`, { method, key, ...(body === undefined ? {} : { body }) });
    },
    toContext: async (session) => ({
      ...context,
      caller: await readCaller(database, session),
      source: { requestId: null, address: null },
    }),
    change,
    addPerson: addPersonTo,
    async issue(kind, { role, accountId = service.id, scopes }) {
      const limit = scopes === undefined ? {} : { scopes };
      const stylistId = role === 'stylist' ? service.stylistIds[0] : undefined;
      if (kind === 'app token') {
        if (role === 'stylist') throw new Error('An app has no calendar.');
        const name = `${accountId} ${role}`;
        const clientId =
          apps.get(name) ?? (await change((tx) => addApp(tx, environment, { accountId, role })));
        apps.set(name, clientId);
        return change((tx) => issueAppToken(tx, environment, { clientId, ...limit }));
      }
      const { id, session } = await addPersonTo([
        { accountId, role, ...(stylistId === undefined ? {} : { stylistId }) },
      ]);
      if (kind === 'session') return session(accountId);
      return change((tx) => issuePersonToken(tx, environment, { accountId, userId: id, ...limit }));
    },
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await database.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The API, called with the token of a session, so that all rules are tried with the callers of the pages. */
async function openSessionApi(context: AppContext) {
  const { database } = context;
  const limiter = openAccountLimiter(database, environment);
  const app = createServer({
    context,
    limiter,
    credentials: {
      read: (token) => readCaller(database, token),
      count: () => {},
      save: async () => {},
    },
    logLevel: 'silent',
    log: { write: () => {} },
    checkReadiness: createReadiness({ database, file: undefined }).check,
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

async function readCaller(database: Database, token: string): Promise<Caller> {
  const found = await readSession(database, environment, token);
  if (found === undefined) throw new SalonError('invalid_token', 'The session has ended.');
  return found.caller;
}
