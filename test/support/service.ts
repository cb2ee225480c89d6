import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, roles, type Scope } from '../../src/contract/roles.ts';
import { openAdministration } from '../../src/service/administration.ts';
import { parseServiceConfig, type ServiceConfig } from '../../src/service/config.ts';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
import { openService } from '../../src/service/service.ts';
import { createEmptyDatabase } from './database.ts';
import { addMember, cheapPasswords, type NewPerson } from './members.ts';
import { isPostgres } from './postgres.ts';

export interface TestServiceOptions {
  readonly now?: () => Date;
  /** Requests per hour; by default more than any test sends. */
  readonly hourlyLimit?: number;
  readonly clients?: number;
  readonly appointments?: number;
  readonly config?: Partial<ServiceConfig>;
  /** Where the service finds the database, such as a proxy in front of it. */
  readonly through?: (database: string) => Promise<string>;
}

/** An account with sample records and a key for each role. The stylist key belongs to the first stylist. */
export interface TestAccount {
  readonly id: string;
  readonly stylistIds: readonly string[];
  readonly keys: Readonly<Record<Role, string>>;
}

export interface TestService extends TestAccount, AsyncDisposable {
  readonly origin: string;
  readonly database: string;
  /** Environment variables of every process on the database. */
  readonly env: Readonly<Record<string, string>>;
  /** The log lines. */
  readonly logged: readonly string[];
  addAccount(): Promise<TestAccount>;
  addKey(key: { scopes?: Scope[]; expires_at?: string }): Promise<{ id: string; key: string }>;
  /** Adds a person to an account, by default the first. */
  addPerson(person?: NewPerson & { readonly accountId?: string }): Promise<string>;
  revokeKey(id: string): Promise<void>;
  close(): Promise<void>;
}

const plenty = 1_000_000;

/** The real service on a free port, with its own temporary database. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { now = () => new Date(), clients = 3, appointments = 0, hourlyLimit = plenty } = options;
  const folder = await mkdtemp(join(tmpdir(), 'salon-service-'));
  const file = join(folder, 'salon.db');
  const empty = await createEmptyDatabase(file);
  const database = empty.location;
  // Only databases of SQLite have a file beside which the key of secrets can lie.
  const env: Record<string, string> = isPostgres
    ? { SALON_SECRETS_KEY: randomBytes(32).toString('base64') }
    : {};
  const environment = { now, random: (size: number) => randomBytes(size), env };
  const logged: string[] = [];
  let opened: Promise<Database> | undefined;
  /** On PostgreSQL, opening costs connections; on SQLite, what stays open keeps the log out of the file. */
  async function useDatabase<Result>(act: (from: Database) => Promise<Result>): Promise<Result> {
    if (isPostgres) {
      opened ??= openDatabase(database);
      return act(await opened);
    }
    await using own = await openDatabase(database);
    return await act(own);
  }

  async function addAccount(name: string, seed: number): Promise<TestAccount> {
    await using administration = await openAdministration(database, environment);
    const { id } = await administration.createAccount({ name, plan: 'pro', hourlyLimit });
    await administration.seedAccount({ accountId: id, clients, appointments, seed, today: now() });
    const stylistIds = await useDatabase((from) => readStylistIds(from, id));
    const made: [Role, string][] = [];
    for (const role of roles) {
      const stylistId = role === 'stylist' ? stylistIds[0] : undefined;
      const bound = stylistId === undefined ? {} : { stylist_id: stylistId };
      const request = { role, name: role, expires_at: null, ...bound };
      const { key } = await administration.createApiKey(await administration.inAccount(id), request);
      made.push([role, key]);
    }
    return { id, stylistIds, keys: Object.fromEntries(made) as Record<Role, string> };
  }

  const account = await addAccount('Test salon', 1);
  const config = {
    ...parseServiceConfig({
      port: '0',
      database: (await options.through?.(database)) ?? database,
      logLevel: 'silent',
      allowLoopbackWebhooks: true,
    }),
    passwordCost: cheapPasswords,
    ...options.config,
  };
  const log = { write: (line: string) => logged.push(line) };
  const service = await openService(config, { ...environment, log });
  return {
    ...account,
    origin: service.origin,
    database,
    env,
    logged,
    addAccount: () => addAccount('Another salon', 2),
    addKey: async (key) => {
      await using administration = await openAdministration(database, environment);
      const operator = await administration.inAccount(account.id);
      return await administration.createApiKey(operator, {
        ...{ role: 'owner', name: 'extra', expires_at: null },
        ...key,
      });
    },
    addPerson: async (person) =>
      useDatabase((to) => addMember(to, environment, { accountId: account.id, ...person })),
    revokeKey: async (id) => {
      await using administration = await openAdministration(database, environment);
      await administration.revokeApiKey(id);
    },
    close: () => service.close(),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await (await opened)?.close();
      await empty[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readStylistIds(database: Database, accountId: string): Promise<string[]> {
  const text = 'select id from stylists where account_id = ? order by seq';
  const rows = await database.reader.run<{ id: string }>(text, [accountId]);
  return rows.map((row) => row.id);
}
