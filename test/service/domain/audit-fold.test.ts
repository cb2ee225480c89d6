import { describe, expect, it } from 'vitest';
import {
  cancelAppointment,
  createAppointment,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { addClient, deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import type { Caller, CallerCredential, Context } from '../../../src/service/domain/context.ts';
import { createPayment, refundPayment } from '../../../src/service/domain/payments.ts';
import { createStylist, updateStylist } from '../../../src/service/domain/stylists.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../src/service/domain/webhooks.ts';
import { compareRecords, foldAuditLog, readAuditLog } from '../../support/audit-log.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const operations = countBySpeed(400, 10_000);

const collections = ['clients', 'appointments', 'stylists', 'payments', 'webhooks'] as const;

type Ids = Record<(typeof collections)[number], string[]>;

/** Three people, one of them with an app, and two keys. */
const credentials: readonly CallerCredential[] = [
  ...['Ada', 'Bo'].map((name): CallerCredential => {
    const user = { id: `usr_${name}`, name, email: `${name}@salon.example` };
    return { kind: 'session', id: `ses_${name}`, user };
  }),
  {
    ...{ kind: 'token', id: 'grt_1', app: { id: 'app_1', name: 'Till' }, expiresAt: new Date(0) },
    user: { id: 'usr_Cy', name: 'Cy', email: 'cy@salon.example' },
  },
  ...['office', 'shop'].map(
    (name): CallerCredential => ({
      kind: 'api_key',
      id: `key_${name}`,
      name,
      expiresAt: null,
      creator: null,
    }),
  ),
];

async function readIds({ store }: TestSalon): Promise<Ids> {
  const ids: Ids = { clients: [], appointments: [], stylists: [], payments: [], webhooks: [] };
  for (const name of collections) {
    const rows = await store.database.reader.run<{ id: string }>(`select id from ${name}`, []);
    ids[name] = rows.map(({ id }) => id);
  }
  return ids;
}

async function readRecords({ store }: TestSalon): Promise<{ id: string }[]> {
  const records: { id: string }[] = [];
  for (const name of collections) {
    const rows = await store.database.reader.run<{ record: string }>(`select record from ${name}`, []);
    records.push(...rows.map(({ record }) => JSON.parse(record)));
  }
  return records;
}

/** Random operations; each may be refused, which must leave no trace. */
function createOperations(random: () => number) {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const text = () => `Text ${Math.floor(random() * 50)}`;
  const acts: ((context: Context, ids: Ids) => Promise<unknown>)[] = [
    (context) => addClient(context, { first_name: text(), notes: text(), tags: [text()] }),
    (context) => createStylist(context, { first_name: text() }),
    (context, { clients }) => updateClient(context, pick(clients), { change: { notes: text() } }),
    (context, { clients }) =>
      updateClient(context, pick(clients), { change: { last_name: text(), tags: [text(), text()] } }),
    (context, { stylists }) =>
      updateStylist(context, pick(stylists), { change: { last_name: text(), active: random() < 0.9 } }),
    (context, { clients, stylists }) =>
      createAppointment(context, {
        ...{ client_id: pick(clients), stylist_id: pick(stylists), service: text(), duration: 30 },
        start_time: new Date(Date.UTC(2026, 10, 20) + Math.floor(random() * 400) * 3_600_000).toISOString(),
        ...{ notes: random() < 0.5 ? text() : null, allow_early: true },
      }),
    (context, { appointments, clients }) =>
      updateAppointment(context, pick(appointments), {
        change: { notes: text(), ...(random() < 0.3 ? { client_id: pick(clients) } : {}) },
      }),
    (context, { appointments }) =>
      updateAppointment(context, pick(appointments), {
        change: { status: pick(['arrived', 'in_service', 'completed', 'confirmed']), allow_early: true },
      }),
    (context, { appointments }) => cancelAppointment(context, pick(appointments), { reason: text() }),
    (context, { appointments }) =>
      createPayment(context, {
        ...{ appointment_id: pick(appointments), amount: 1000, currency: 'EUR', method: 'cash' },
        reference: text(),
      }),
    (context, { payments }) => refundPayment(context, pick(payments), { amount: 100 }),
    (context, { clients }) => mergeClients(context, pick(clients), { from: pick(clients) }),
    (context, { clients }) => unmergeClients(context, pick(clients), {}),
    (context, { clients }) => deleteClient(context, pick(clients), { force: random() < 0.5 }),
    (context) => createWebhook(context, { url: 'https://shop.example/hook', description: text() }),
    (context, { webhooks }) => updateWebhook(context, pick(webhooks), { change: { description: text() } }),
    (context, { webhooks }) => rotateWebhookSecret(context, pick(webhooks)),
    (context, { webhooks }) => deleteWebhook(context, pick(webhooks)),
  ];
  return async (salon: TestSalon): Promise<void> => {
    const ids = await readIds(salon);
    const act = pick(ids.clients.length < 5 || ids.stylists.length < 3 ? acts.slice(0, 2) : acts);
    const caller: Caller = { ...salon.as().caller, credential: pick(credentials) };
    await act({ ...salon.as(), caller }, ids).catch((error: { code?: string }) => {
      if (error.code === undefined) throw error;
    });
  };
}

describe('the audit log', () => {
  it('reproduces every record after random operations by people, apps and keys', async () => {
    await using salon = await openTestSalon();
    const random = createRandomNumbers(12);
    const operate = createOperations(random);
    for (let count = 0; count < operations; count++) await operate(salon);
    const entries = await readAuditLog(salon.as());
    expect(compareRecords(foldAuditLog(entries), await readRecords(salon))).toEqual([]);
    expect(new Set(entries.map(({ actor }) => actor.id).filter((id) => id !== null))).toEqual(
      new Set(['usr_Ada', 'usr_Bo', 'usr_Cy', 'key_office', 'key_shop']),
    );
    const { chains } = await verifyAuditLog(salon.store.database.reader);
    expect(chains).toMatchObject([{ account_id: salon.accountId, entries: entries.length, faults: [] }]);
  }, 600_000);
});
