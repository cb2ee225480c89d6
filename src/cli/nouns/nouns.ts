import type { Collections } from '../../client/resources/collections.ts';
import { auditEntry } from '../../contract/audit.ts';
import { delivery, deliveryStatuses } from '../../contract/delivery.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { salon } from '../../contract/salon.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { ArgumentDefinition } from '../flags/flag.ts';
import {
  type Column,
  type ColumnKind,
  type ColumnSet,
  columnSet,
  contactColumns,
  toColumns,
} from '../output/columns.ts';
import type { CommandContext } from '../session/command-context.ts';

/** What there is to know of one kind of records. */
export interface Noun {
  readonly one: string;
  readonly many: string;
  readonly columns: ColumnSet;
  /** The fields of a new record, and of a change. */
  readonly fields?: readonly string[];
  readonly changeFields?: readonly string[];
  readonly sort?: readonly string[];
  readonly statuses?: readonly string[];
  /** What a reference may be. */
  readonly reference?: ArgumentDefinition;
  /** Finds the record that a reference means; its ID is enough. */
  find?(reference: string, context: CommandContext, options?: { readonly isWrite?: boolean }): Promise<Found>;
  /** Names a record that was written; the server may have sent any part of it. */
  describe?(record: FieldValues, context: CommandContext): Promise<string>;
}

interface Found {
  readonly id: string;
  readonly record?: object | undefined;
}

const { clock: _rules, ...settings } = salon.properties;

type Property = Parameters<typeof toColumns>[0][string] & {
  readonly enum?: readonly string[];
  readonly items?: object;
};

function propertiesOf(schema: object = {}) {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Property>> };
  return properties;
}

/** What the endpoints of a resource say of its records. `kinds` has those of columns that its schema does not say. */
function resource(
  path: string,
  columns: Omit<ColumnSet, 'all'>,
  kinds?: Readonly<Record<string, ColumnKind>>,
) {
  const find = (methods: readonly string[], at = path) =>
    Object.values<Endpoint>(endpoints).find((one) => one.path === at && methods.includes(one.method));
  const list = find(['GET']);
  const record = propertiesOf(propertiesOf(list?.success.body)['data']?.items);
  return {
    columns: { all: toColumns(record, kinds), ...columns },
    fields: Object.keys(propertiesOf(find(['POST'])?.body)),
    changeFields: Object.keys(propertiesOf(find(['PUT', 'PATCH'], `${path}/:id`)?.body)),
    sort: propertiesOf(list?.query)['sort']?.enum ?? [],
    statuses: record['status']?.enum ?? [],
  };
}

/** Every kind of records, by its name in the client. */
export const nouns = {
  appointments: {
    one: 'appointment',
    many: 'appointments',
    ...resource('/appointments', {
      table: [
        ...['start_time', 'client_name', 'client_phone', 'stylist_name'],
        ...['service', 'duration', 'status', 'id'],
      ],
      optional: ['client_phone', 'duration', 'id'],
      names: { ...contactColumns, stylist_name: 'stylist_id' },
    }),
    reference: 'appointment ID, or its client: name, email, phone',
    find: async (...given) => (await import('../people/resolve-appointment.ts')).findAppointment(...given),
  },
  clients: {
    one: 'client',
    many: 'clients',
    ...resource('/clients', {
      table: ['first_name', 'last_name', 'email', 'phone', 'id'],
      optional: ['id'],
      names: { preferred_stylist_name: 'preferred_stylist_id' },
    }),
    describe: async (record) => (await import('../people/names.ts')).nameOfClient(record),
  },
  stylists: {
    one: 'stylist',
    many: 'stylists',
    ...resource('/stylists', {
      table: ['display_name', 'first_name', 'last_name', 'active', 'services', 'id'],
      optional: ['services', 'id'],
    }),
    reference: { help: 'stylist: name, email, phone or ID', complete: 'stylists' },
    find: async (...given) => (await import('../people/resolve.ts')).resolveStylist(...given),
    describe: async (record) =>
      (await import('../people/names.ts')).toNamedStylist(record as unknown as Stylist).name,
  },
  services: {
    one: 'service',
    many: 'services',
    ...resource('/services', {
      table: ['name', 'duration', 'price', 'active', 'id'],
      optional: ['id'],
    }),
    reference: 'service: name or ID',
    async find(...given) {
      const { resolveService } = await import('../availability/usual-services.ts');
      const record = await resolveService(...given);
      return { id: record.id, record };
    },
    describe: async ({ name }) => String(name),
  },
  blockedTimes: {
    one: 'blocked time',
    many: 'blocked times',
    columns: {
      ...columnSet({
        ...{ start_time: 'instant', end_time: 'instant', stylist_name: 'text', reason: 'status' },
        ...{ note: 'text', stylist_id: 'text', id: 'text' },
      }),
      table: ['start_time', 'end_time', 'stylist_name', 'reason', 'note', 'id'],
      optional: ['note', 'id'],
    },
  },
  payments: {
    one: 'payment',
    many: 'payments',
    ...resource('/payments', {
      table: [
        ...['created_at', 'client_name', 'amount', 'method', 'status'],
        ...['tip_amount', 'refunded_amount', 'id'],
      ],
      optional: ['tip_amount', 'refunded_amount', 'id'],
      names: contactColumns,
    }),
    reference: 'payment ID, or its client: name, email, phone',
    find: async (...given) => (await import('../people/resolve-payment.ts')).findPayment(...given),
  },
  waitlist: {
    one: 'waitlist entry',
    many: 'waitlist entries',
    ...resource('/waitlist', {
      table: [
        ...['from', 'to', 'client_name', 'client_phone', 'service'],
        ...['stylist_name', 'status', 'note', 'id'],
      ],
      optional: ['client_phone', 'note', 'status', 'id'],
      names: { ...contactColumns, stylist_name: 'stylist_id' },
    }),
    reference: 'entry ID, or its client: name, email, phone',
    find: async (...given) => (await import('../people/resolve-entry.ts')).findEntry(...given),
    describe: async (...given) => (await import('../people/resolve-entry.ts')).describeEntry(...given),
  },
  /** The settings of the salon as a whole. */
  salon: {
    one: 'salon',
    many: 'salons',
    columns: { all: toColumns(settings), table: Object.keys(settings) },
  },
  apiKeys: {
    one: 'API key',
    many: 'API keys',
    ...resource('/api-keys', {
      table: ['name', 'prefix', 'role', 'status', 'created_by_name', 'last_used_at', 'expires_at', 'id'],
      optional: ['created_by_name', 'status', 'id'],
    }),
  },
  webhooks: {
    one: 'webhook',
    many: 'webhooks',
    ...resource(
      '/webhooks',
      {
        table: ['id', 'url', 'events', 'active', 'description'],
        optional: ['events', 'description'],
      },
      { active: 'activity' },
    ),
  },
  /** With the number of attempts and the last response. */
  deliveries: {
    one: 'delivery',
    many: 'deliveries',
    columns: {
      all: [
        ...toColumns(delivery.properties),
        { key: 'attempt_count', kind: 'integer' },
        { key: 'last_response', kind: 'text' },
        { key: 'response_text', kind: 'text' },
      ],
      table: [
        'created_at',
        'event_type',
        'status',
        'attempt_count',
        'last_response',
        'next_attempt_at',
        'id',
      ],
      optional: ['next_attempt_at', 'id'],
    },
    statuses: deliveryStatuses,
  },
  /** With who acted, on which record, and what changed in words. */
  audit: {
    one: 'entry',
    many: 'entries',
    columns: {
      all: [
        ...toColumns(auditEntry.properties, {
          ...{ action: 'action', before: 'value', after: 'value', details: 'value' },
        }).map((column): Column => (column.key === 'created_at' ? { ...column, heading: 'Time' } : column)),
        { key: 'who', kind: 'text' },
        { key: 'record', kind: 'text' },
        { key: 'changes', kind: 'changes' },
      ],
      table: ['created_at', 'who', 'action', 'record', 'changes'],
      names: contactColumns,
    },
  },
} satisfies Readonly<Record<keyof Collections | 'deliveries', Noun>>;

export type NounName = keyof typeof nouns;
