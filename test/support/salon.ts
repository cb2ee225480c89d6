import { randomBytes } from 'node:crypto';
import type { BodyOf } from '../../src/contract/endpoints.ts';
import { scopes as everyScope, type Role, type Scope } from '../../src/contract/roles.ts';
import type { Stylist } from '../../src/contract/stylist.ts';
import type { Database } from '../../src/service/db/database.ts';
import { insertRecord } from '../../src/service/db/records/records.ts';
import { createAccount } from '../../src/service/domain/accounts.ts';
import { createAppointment } from '../../src/service/domain/appointments.ts';
import { addClient } from '../../src/service/domain/clients.ts';
import type { Context, Environment } from '../../src/service/domain/context.ts';
import { createId, toStoredRow } from '../../src/service/domain/records.ts';
import { openSecrets } from '../../src/service/secrets/secrets.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

/** A clock that moves only when it is set. */
export interface TestEnvironment extends Environment {
  setTime(iso: string): void;
}

/** One account on a database, with shortcuts to add records. */
export interface TestSalon extends AsyncDisposable {
  readonly store: TestDatabase;
  readonly environment: TestEnvironment;
  readonly accountId: string;
  /** The context of a caller, by default the owner. */
  as(rights?: { role?: Role; scopes?: readonly Scope[]; stylistId?: string; database?: Database }): Context;
  addStylist(change?: Partial<Stylist>): Promise<string>;
  addClient(body?: BodyOf<'createClient'>): Promise<string>;
  /** Books 09:00 to 10:00 on a future day, by default with a new client and stylist. */
  addAppointment(body?: Partial<BodyOf<'createAppointment'>>): Promise<string>;
  /** A second account on the same database. */
  openNeighbour(): Promise<TestSalon>;
}

export const testNow = '2026-11-21T12:00:00.000Z';

/** Adds a salon to a database, by default an empty one. */
export async function openTestSalon(store?: TestDatabase): Promise<TestSalon> {
  return openSalonOn(store ?? (await openTestDatabase()), createTestEnvironment());
}

export function createTestEnvironment(): TestEnvironment {
  let now = new Date(testNow);
  return {
    now: () => now,
    random: (size) => randomBytes(size),
    setTime: (iso) => {
      now = new Date(iso);
    },
  };
}

async function openSalonOn(store: TestDatabase, environment: TestEnvironment): Promise<TestSalon> {
  const { database } = store;
  const secrets = openSecrets({ location: store.file, environment });
  const account = await createAccount({ database, environment }, { name: 'Test salon', plan: 'pro' });
  const accountId = account.id;

  const salon: TestSalon = {
    store,
    environment,
    accountId,
    as: (rights = {}) => ({
      database: rights.database ?? database,
      environment,
      secrets,
      checkAddress: async () => undefined,
      caller: {
        account: {
          id: accountId,
          name: account.name,
          plan: account.plan,
          hourlyLimit: account.hourly_limit,
          settings: {},
        },
        role: rights.role ?? 'owner',
        scopes: rights.scopes ?? everyScope,
        stylistId: rights.stylistId ?? null,
        credential: { kind: 'api_key', id: 'key_test', name: 'test', expiresAt: null, creator: null },
      },
      source: { requestId: 'req_test', address: '127.0.0.1' },
    }),
    async addStylist(change = {}) {
      const at = environment.now().toISOString();
      const stylist = {
        ...newStylist,
        id: createId('stylist', environment),
        created_at: at,
        updated_at: at,
        ...change,
      };
      await database.transaction('service', (tx) =>
        insertRecord(tx, 'stylists', toStoredRow(accountId, 'stylists', stylist)),
      );
      return stylist.id;
    },
    addClient: async (body = { first_name: 'Ada' }) => (await addClient(salon.as(), body)).id,
    async addAppointment(body = {}) {
      const { id } = await createAppointment(salon.as(), {
        client_id: body.client_id ?? (await salon.addClient()),
        stylist_id: body.stylist_id ?? (await salon.addStylist()),
        service: 'Cut',
        start_time: '2026-12-01T09:00:00Z',
        duration: 60,
        allow_early: true,
        ...body,
      });
      return id;
    },
    openNeighbour: () => openSalonOn(store, environment),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  return salon;
}

const newStylist = {
  first_name: 'Sam',
  last_name: 'Reed',
  display_name: 'Sam',
  email: null,
  phone: null,
  active: true,
  services: [],
  working_hours: null,
};
