import type { BodyOf, Operation, QueryOf } from '../../src/contract/endpoints.ts';
import { SalonError } from '../../src/contract/errors.ts';
import type { Reader } from '../../src/service/db/engine.ts';
import { type CollectionName, collections } from '../../src/service/db/record-rows.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { handlers, type OperationRequest } from '../../src/service/http/handlers.ts';

type Ids = Record<CollectionName, string[]>;

interface RandomWrite<Op extends Operation> {
  readonly id?: string;
  readonly query?: QueryOf<Op>;
  readonly body?: BodyOf<Op>;
}

/** Operations that change no record of the salon, or only check. */
type OtherWrite =
  | 'checkWrites'
  | `${'create' | 'revoke' | 'roll'}ApiKey`
  | `${'create' | 'delete'}OauthClient`
  | 'rotateOauthClientSecret'
  | `${'create' | 'update' | 'delete' | 'test'}Webhook`
  | 'rotateWebhookSecret'
  | 'redeliver'
  | 'redeliverSome';

type RecordWrite = Exclude<Operation, `get${string}` | `list${string}` | OtherWrite>;

type RandomWrites = { readonly [Op in RecordWrite]: () => RandomWrite<Op> };

/** Some hours of a few days, so that bookings meet. */
const firstHourMs = Date.UTC(2040, 0, 1);

function createRandomWrites(random: () => number, ids: Ids): RandomWrites {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const text = () => `Text ${Math.floor(random() * 50)}`;
  const hour = () => firstHourMs + Math.floor(random() * 400) * 3_600_000;
  const service = () => `Service ${pick(['A', 'B', 'C', 'D'])}`;
  const span = () => {
    const fromMs = hour();
    return [fromMs, fromMs + 3_600_000].map((ms) => new Date(ms).toISOString()) as [string, string];
  };
  const booking = () => ({
    ...{ client_id: pick(ids.clients), stylist_id: pick(ids.stylists), service: service(), duration: 30 },
    ...{ start_time: span()[0], notes: random() < 0.5 ? text() : null },
    ...{ status: pick(['pending', 'confirmed'] as const), allow_overlap: random() < 0.5 },
  });
  const change = (): BodyOf<'updateAppointment'> =>
    pick([
      () => ({ notes: text() }),
      () => ({ client_id: pick(ids.clients) }),
      () => ({ stylist_id: pick(ids.stylists), allow_overlap: true, allow_blocked: true }),
      () => ({ start_time: span()[0] }),
      () => ({ price: random() < 0.5 ? 500 : null }),
      () => ({
        status: pick(['confirmed', 'arrived', 'in_service', 'completed', 'no_show'] as const),
        allow_early: true,
      }),
    ])();
  const contact = () => pick([{ notes: text() }, { last_name: text(), tags: [text(), text()] }]);
  return {
    createAppointment: () => ({ body: booking() }),
    createAppointments: () => ({
      body: { bookings: [booking(), booking(), booking()], on_conflict: pick(['refuse', 'skip'] as const) },
    }),
    updateAppointment: () => ({ id: pick(ids.appointments), body: change() }),
    patchAppointment: () => ({ id: pick(ids.appointments), body: change() }),
    cancelAppointment: () => ({ id: pick(ids.appointments), body: { cancellation_reason: text() } }),
    createBlockedTime: () => {
      const [start_time, end_time] = span();
      return { body: { stylist_id: pick([null, ...ids.stylists]), start_time, end_time, note: text() } };
    },
    updateBlockedTime: () => ({ id: pick(ids.blocked_times), body: { note: text() } }),
    deleteBlockedTime: () => ({ id: pick(ids.blocked_times) }),
    createWaitlistEntry: () => {
      const [from, to] = span();
      return { body: { client_id: pick(ids.clients), service: service(), from, to, note: text() } };
    },
    updateWaitlistEntry: () => ({
      id: pick(ids.waitlist_entries),
      body: pick([{ note: text() }, { status: 'booked' as const }]),
    }),
    deleteWaitlistEntry: () => ({ id: pick(ids.waitlist_entries) }),
    createClient: () => ({ body: { first_name: text(), notes: text(), tags: [text()] } }),
    updateClient: () => ({ id: pick(ids.clients), body: contact() }),
    patchClient: () => ({ id: pick(ids.clients), body: contact() }),
    deleteClient: () => ({ id: pick(ids.clients), query: { force: random() < 0.7 } }),
    mergeClients: () => ({ id: pick(ids.clients), body: { from: pick(ids.clients) } }),
    unmergeClients: () => ({ id: pick(ids.clients), body: {} }),
    updateSalon: () => ({
      body: { currency: 'EUR', phone: `+49301234${Math.floor(1000 + random() * 9000)}` },
    }),
    createService: () => ({ body: { name: service(), duration: 30, price: 4000 } }),
    updateService: () => ({ id: pick(ids.services), body: pick([{ name: service() }, { price: 500 }]) }),
    deleteService: () => ({ id: pick(ids.services) }),
    createStylist: () => ({ body: { first_name: text(), services: [service(), service()] } }),
    updateStylist: () => ({
      id: pick(ids.stylists),
      body: { last_name: text(), services: [service()], active: random() < 0.9 },
    }),
    createPayment: () => ({
      body: {
        ...{ appointment_id: pick(ids.appointments), amount: 500, currency: 'EUR', method: 'cash' as const },
        reference: text(),
      },
    }),
    refundPayment: () => ({ id: pick(ids.payments), body: { amount: 100 } }),
    voidPayment: () => ({ id: pick(ids.payments) }),
  };
}

/** The operations that `writeAtRandom` chooses from. */
export function listRandomWrites(): string[] {
  return Object.keys(createRandomWrites(Math.random, {} as Ids));
}

async function readIds(reader: Reader, accountId: string): Promise<Ids> {
  const found = collections.map(async (name) => {
    const text = `select id from ${name} where account_id = ?`;
    return [name, (await reader.run<{ id: string }>(text, [accountId])).map(({ id }) => id)] as const;
  });
  return Object.fromEntries(await Promise.all(found)) as Ids;
}

/** Calls one operation that changes records. It may be refused, which must leave no trace. Returns the one that was not. */
export async function writeAtRandom(context: Context, random: () => number): Promise<string | undefined> {
  const { caller, database } = context;
  const ids = await readIds(database.reader, caller.account.id);
  const writes = createRandomWrites(random, ids);
  const names = Object.keys(writes) as RecordWrite[];
  const first = (['createClient', 'createStylist', 'updateSalon', 'createService'] as const)[
    Math.floor(random() * 4)
  ];
  const isYoung = ids.clients.length < 5 || ids.stylists.length < 3;
  const operation = (isYoung ? first : names[Math.floor(random() * names.length)]) as 'updateClient';
  const { id = 'none', query = {}, body } = writes[operation]();
  const request = {
    context,
    id,
    query,
    body,
    ifMatch: undefined,
  } as unknown as OperationRequest<'updateClient'>;
  const toProblem = (error: SalonError) => ({ code: error.code }) as ReturnType<typeof request.toProblem>;
  try {
    await handlers[operation]({ ...request, toProblem });
    return operation;
  } catch (error) {
    const isRefused = error instanceof SalonError && (error.status ?? 500) < 500;
    if (!isRefused && !(error instanceof SalonError && error.retryable)) throw error;
    return undefined;
  }
}
