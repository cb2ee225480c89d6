import { ulid } from 'ulid';
import type { Appointment, AppointmentStatus } from '../contract/appointment.ts';
import type { Client } from '../contract/client.ts';
import { apiVersion } from '../contract/endpoints.ts';
import type { EventType } from '../contract/events.ts';
import { type IdentifierKind, identifierPrefixes } from '../contract/identifiers.ts';
import type { Payment, PaymentStatus } from '../contract/payment.ts';
import { dayMs, hourMs } from '../time/time.ts';

interface SampleOptions {
  readonly now: Date;
  readonly random: (size: number) => Uint8Array;
}

interface SampleData {
  readonly resource: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly previous_attributes?: Readonly<Record<string, unknown>>;
}

/** Creates a valid event of any type about a made-up record, which may be changed before it is sent. */
export function createSampleEvent(type: EventType, options: SampleOptions) {
  const [id, timestamp] = [createId('event', options), options.now.toISOString()];
  return { id, type, timestamp, api_version: apiVersion, data: samples[type](options) };
}

type Sample = (options: SampleOptions) => SampleData;

const samples: Readonly<Record<EventType, Sample>> = {
  'booking.created': booking('confirmed'),
  'booking.updated': booking('confirmed', () => ({ notes: null }), { notes: 'Prefers the window seat' }),
  'booking.rescheduled': booking('confirmed', (options) => ({ start_time: startTime(options, 2) })),
  'booking.confirmed': booking('confirmed', () => ({ status: 'pending' })),
  'booking.arrived': booking('arrived', () => ({ status: 'confirmed' })),
  'booking.started': booking('in_service', () => ({ status: 'arrived' })),
  'booking.completed': booking('completed', () => ({ status: 'in_service' })),
  'booking.no_show': booking('no_show', () => ({ status: 'confirmed' })),
  'booking.cancelled': booking('cancelled', () => ({ status: 'confirmed', cancellation_reason: null }), {
    cancellation_reason: 'Client is ill',
  }),
  'payment.created': payment('pending'),
  'payment.completed': payment('completed', { status: 'pending' }),
  'payment.failed': payment('failed', { status: 'pending' }),
  'payment.refunded': payment('completed', { refunded_amount: 0 }, { refunded_amount: 1500 }),
  'payment.updated': (options) => {
    const { object } = payment('completed')(options);
    return withFormer('payment', object, { client_id: createId('client', options) });
  },
  'client.created': (options) => withFormer('client', createClient(options), undefined),
  'client.updated': (options) => withFormer('client', createClient(options), { phone: null }),
  'client.deleted': (options) => ({
    resource: 'client',
    object: { id: createId('client', options), deleted: true },
  }),
  'webhook.test': (options) => ({ resource: 'webhook', object: { id: createId('webhook', options) } }),
};

function booking(
  status: AppointmentStatus,
  toFormer?: (options: SampleOptions) => Partial<Appointment>,
  change: Partial<Appointment> = {},
): Sample {
  return (options) => {
    const object: Appointment = {
      id: createId('appointment', options),
      client_id: createId('client', options),
      stylist_id: createId('stylist', options),
      service: 'Cut and finish',
      start_time: startTime(options, 1),
      duration: 45,
      status,
      notes: null,
      cancellation_reason: null,
      ...times(options),
      ...{ price: 4500, paid_amount: 0 },
      ...change,
    };
    return withFormer('appointment', object, toFormer?.(options));
  };
}

function payment(status: PaymentStatus, former?: Partial<Payment>, change: Partial<Payment> = {}): Sample {
  return (options) => {
    const object: Payment = {
      id: createId('payment', options),
      client_id: createId('client', options),
      appointment_id: createId('appointment', options),
      amount: 4500,
      currency: 'EUR',
      tip_amount: 500,
      method: 'card',
      status,
      refunded_amount: 0,
      reference: null,
      ...times(options),
      ...change,
    };
    return withFormer('payment', object, former);
  };
}

function createClient(options: SampleOptions): Client {
  return {
    id: createId('client', options),
    first_name: 'Ana',
    last_name: 'Gil',
    email: 'ana.gil@example.com',
    phone: '+34600111222',
    birthday: '1988-04-12',
    notes: null,
    preferred_stylist_id: null,
    tags: ['regular'],
    email_marketing_consent: true,
    sms_marketing_consent: false,
    external_id: null,
    ...times(options),
  };
}

function withFormer(resource: string, object: object, former: object | undefined): SampleData {
  return { resource, object: { ...object }, ...(former && { previous_attributes: { ...former } }) };
}

/** The full hour in that many days. */
function startTime({ now }: SampleOptions, days: number): string {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs + days * dayMs).toISOString();
}

function times({ now }: SampleOptions): { created_at: string; updated_at: string } {
  return { created_at: new Date(now.getTime() - dayMs).toISOString(), updated_at: now.toISOString() };
}

function createId(kind: IdentifierKind, { now, random }: SampleOptions): string {
  const chance = () => (random(1)[0] ?? 0) / 256;
  return identifierPrefixes[kind] + ulid(now.getTime(), chance).toLowerCase();
}
