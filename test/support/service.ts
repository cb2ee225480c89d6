import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, roles, type Scope } from '../../src/contract/roles.ts';
import { type Administration, openAdministration } from '../../src/service/administration.ts';
import { parseServiceConfig, type ServiceConfig } from '../../src/service/config.ts';
import type { Database } from '../../src/service/db/database.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { createApiKey } from '../../src/service/identity/api-keys.ts';
import { openService } from '../../src/service/service.ts';
import { createEmptyDatabase } from './database.ts';
import { addMember, cheapPasswords, type NewPerson } from './members.ts';
import { isPostgres } from './postgres.ts';

/** How many sample records an account has. */
interface SampleRecords {
  readonly clients?: number;
  readonly appointments?: number;
}

interface NewTestAccount extends SampleRecords {
  readonly name?: string;
  readonly seed?: number;
}

export interface TestServiceOptions extends SampleRecords {
  readonly now?: () => Date;
  /** Requests per hour; by default more than any test sends. */
  readonly hourlyLimit?: number;
  /** Whether one connection to the database serves all administration, as always on PostgreSQL. */
  readonly staysOpen?: boolean;
  readonly config?: Partial<ServiceConfig>;
  /** Where the service finds the database, such as a proxy in front of it. */
  readonly through?: (database: string) => Promise<string>;
}

/** An account with sample records and a key for each role. The stylist key belongs to the first stylist. */
export interface TestAccount {
  readonly id: string;
  readonly stylistIds: readonly string[];
  readonly keys: Readonly<Record<Role, string>>;
  addKey(key: { scopes?: Scope[]; expires_at?: string }): Promise<{ id: string; key: string }>;
  /** Calls functions of the service itself. */
  asOperator<Result>(act: (operator: Context) => Promise<Result>): Promise<Result>;
}

export interface TestService extends TestAccount, AsyncDisposable {
  readonly origin: string;
  readonly database: string;
  /** Environment variables of every process on the database. */
  readonly env: Readonly<Record<string, string>>;
  /** The log lines. */
  readonly logged: readonly string[];
  /** By default with as many records as the first. */
  addAccount(account?: NewTestAccount): Promise<TestAccount>;
  /** Adds a person to an account, by default the first. */
  addPerson(person?: NewPerson & { readonly accountId?: string }): Promise<string>;
  revokeKey(id: string): Promise<void>;
  close(): Promise<void>;
}

const plenty = 1_000_000;

const firstAccount = { name: 'Test salon', seed: 1 };

/** The real service on a free port, with its own temporary database. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { now = () => new Date(), hourlyLimit = plenty, staysOpen = isPostgres } = options;
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
  let administration: Promise<Administration> | undefined;
  /** On PostgreSQL, opening costs connections; on SQLite, what stays open keeps the log out of the file. */
  async function administer<Result>(act: (by: Administration) => Promise<Result>): Promise<Result> {
    if (staysOpen) {
      administration ??= openAdministration(database, environment);
      return act(await administration);
    }
    await using own = await openAdministration(database, environment);
    return await act(own);
  }

  function addAccount(name: string, seed: number, records: SampleRecords = options): Promise<TestAccount> {
    const { clients = 3, appointments = 0 } = records;
    return administer(async (by) => {
      const { id } = await by.createAccount({ name, plan: 'pro', hourlyLimit });
      await by.seedAccount({ accountId: id, clients, appointments, seed, today: now() });
      const operator = await by.inAccount(id);
      const stylistIds = await readStylistIds(operator.database, id);
      const made: [Role, string][] = [];
      for (const role of roles) {
        const stylistId = role === 'stylist' ? stylistIds[0] : undefined;
        const bound = stylistId === undefined ? {} : { stylist_id: stylistId };
        const { key } = await createApiKey(operator, { role, name: role, expires_at: null, ...bound });
        made.push([role, key]);
      }
      const extra = { role: 'owner', name: 'extra', expires_at: null } as const;
      const asOperator: TestAccount['asOperator'] = (act) =>
        administer(async (again) => act(await again.inAccount(id)));
      const addKey: TestAccount['addKey'] = (key) =>
        asOperator((again) => createApiKey(again, { ...extra, ...key }));
      return { id, stylistIds, keys: Object.fromEntries(made) as Record<Role, string>, addKey, asOperator };
    });
  }

  const account = await addAccount(firstAccount.name, firstAccount.seed);
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
    addAccount: ({ name = 'Another salon', seed = 2, ...records } = options) =>
      addAccount(name, seed, records),
    addPerson: async (person) =>
      account.asOperator(({ database: to }) =>
        addMember(to, environment, { accountId: account.id, ...person }),
      ),
    revokeKey: (id) => administer((by) => by.revokeApiKey(id)),
    close: () => service.close(),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await (await administration)?.[Symbol.asyncDispose]();
      await empty[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What tests need of a service on which others work, too. */
export interface SharedService extends TestAccount {
  readonly origin: string;
  readonly database: string;
  addAccount(account?: NewTestAccount): Promise<TestAccount>;
}

const services = new Map<string, Promise<TestService>>();

/**
 * An account of its own on a service that the tests of this process share until it ends: opening one for each takes
 * several times as long. Its clock is the real one, or stands still.
 */
export async function openSharedService({
  now,
  ...records
}: SampleRecords & { readonly now?: Date } = {}): Promise<SharedService> {
  const clock = now?.toISOString() ?? 'real';
  let opened = services.get(clock);
  if (opened === undefined) {
    opened = openTestService({
      clients: 0,
      staysOpen: true,
      ...(now === undefined ? {} : { now: () => now }),
    });
    services.set(clock, opened);
  }
  const { origin, database, addAccount } = await opened;
  return { ...(await addAccount({ ...firstAccount, ...records })), origin, database, addAccount };
}

async function readStylistIds(database: Database, accountId: string): Promise<string[]> {
  const text = 'select id from stylists where account_id = ? order by seq';
  const rows = await database.reader.run<{ id: string }>(text, [accountId]);
  return rows.map((row) => row.id);
}
