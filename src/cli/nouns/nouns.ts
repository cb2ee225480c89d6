import type { Collections } from '../../client/resources/collections.ts';
import { apiKey, apiKeyStatuses, newApiKey } from '../../contract/api-key.ts';
import {
  appointment,
  appointmentChange,
  appointmentQuery,
  appointmentStatuses,
  newAppointment,
} from '../../contract/appointment.ts';
import { auditEntry } from '../../contract/audit.ts';
import { client, clientChange, clientQuery, newClient } from '../../contract/client.ts';
import { delivery, deliveryStatuses } from '../../contract/delivery.ts';
import { newPayment, payment, paymentQuery, paymentStatuses } from '../../contract/payment.ts';
import { salon } from '../../contract/salon.ts';
import { newSalonService, salonService, salonServiceChange } from '../../contract/salon-service.ts';
import { newStylist, type Stylist, stylist, stylistChange, stylistQuery } from '../../contract/stylist.ts';
import {
  newWaitlistEntry,
  waitlistEntry,
  waitlistEntryChange,
  waitlistQuery,
  waitlistStatuses,
} from '../../contract/waitlist.ts';
import { newWebhook, webhook, webhookChange } from '../../contract/webhook.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { ArgumentDefinition } from '../flags/flag.ts';
import { type Column, type ColumnSet, columnSet, contactColumns, toColumns } from '../output/columns.ts';
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
  find?(reference: string, context: CommandContext, options?: FindOptions): Promise<Found>;
  /** Names a record that was written; the server may have sent any part of it. */
  describe?(record: FieldValues, context: CommandContext): Promise<string>;
}

interface FindOptions {
  readonly isWrite?: boolean;
}

interface Found {
  readonly id: string;
  readonly record?: object | undefined;
}

const { clock: _rules, ...settings } = salon.properties;

/** Every kind of records, by its name in the client. */
export const nouns = {
  appointments: {
    one: 'appointment',
    many: 'appointments',
    columns: {
      all: toColumns(appointment.properties),
      table: [
        ...['start_time', 'client_name', 'client_phone', 'stylist_name'],
        ...['service', 'duration', 'status', 'id'],
      ],
      optional: ['client_phone', 'duration', 'id'],
      names: { ...contactColumns, stylist_name: 'stylist_id' },
    },
    fields: Object.keys(newAppointment.properties),
    changeFields: Object.keys(appointmentChange.properties),
    sort: appointmentQuery.properties.sort.enum,
    statuses: appointmentStatuses,
    reference: 'appointment ID, or its client: name, email, phone',
    find: async (...given) => (await import('../people/resolve-appointment.ts')).findAppointment(...given),
  },
  clients: {
    one: 'client',
    many: 'clients',
    columns: {
      all: toColumns(client.properties),
      table: ['first_name', 'last_name', 'email', 'phone', 'id'],
      optional: ['id'],
      names: { preferred_stylist_name: 'preferred_stylist_id' },
    },
    fields: Object.keys(newClient.properties),
    changeFields: Object.keys(clientChange.properties),
    sort: clientQuery.properties.sort.enum,
    describe: async (record) => (await import('../people/names.ts')).nameOfClient(record),
  },
  stylists: {
    one: 'stylist',
    many: 'stylists',
    columns: {
      all: toColumns(stylist.properties),
      table: ['display_name', 'first_name', 'last_name', 'active', 'services', 'id'],
      optional: ['services', 'id'],
    },
    fields: Object.keys(newStylist.properties),
    changeFields: Object.keys(stylistChange.properties),
    sort: stylistQuery.properties.sort.enum,
    reference: { help: 'stylist: name, email, phone or ID', complete: 'stylists' },
    find: async (...given) => (await import('../people/resolve.ts')).resolveStylist(...given),
    describe: async (record) =>
      (await import('../people/names.ts')).toNamedStylist(record as unknown as Stylist).name,
  },
  services: {
    one: 'service',
    many: 'services',
    columns: {
      all: toColumns(salonService.properties),
      table: ['name', 'duration', 'price', 'active', 'id'],
      optional: ['id'],
    },
    fields: Object.keys(newSalonService.properties),
    changeFields: Object.keys(salonServiceChange.properties),
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
    columns: {
      all: toColumns(payment.properties),
      table: [
        ...['created_at', 'client_name', 'amount', 'method', 'status'],
        ...['tip_amount', 'refunded_amount', 'id'],
      ],
      optional: ['tip_amount', 'refunded_amount', 'id'],
      names: contactColumns,
    },
    fields: Object.keys(newPayment.properties),
    sort: paymentQuery.properties.sort.enum,
    statuses: paymentStatuses,
    reference: 'payment ID, or its client: name, email, phone',
    find: async (...given) => (await import('../people/resolve-payment.ts')).findPayment(...given),
  },
  waitlist: {
    one: 'waitlist entry',
    many: 'waitlist entries',
    columns: {
      all: toColumns(waitlistEntry.properties),
      table: [
        ...['from', 'to', 'client_name', 'client_phone', 'service'],
        ...['stylist_name', 'status', 'note', 'id'],
      ],
      optional: ['client_phone', 'note', 'status', 'id'],
      names: { ...contactColumns, stylist_name: 'stylist_id' },
    },
    fields: Object.keys(newWaitlistEntry.properties),
    changeFields: Object.keys(waitlistEntryChange.properties),
    sort: waitlistQuery.properties.sort.enum,
    statuses: waitlistStatuses,
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
    columns: {
      all: toColumns(apiKey.properties),
      table: ['name', 'prefix', 'role', 'status', 'created_by_name', 'last_used_at', 'expires_at', 'id'],
      optional: ['created_by_name', 'status', 'id'],
    },
    fields: Object.keys(newApiKey.properties),
    statuses: apiKeyStatuses,
  },
  webhooks: {
    one: 'webhook',
    many: 'webhooks',
    columns: {
      all: toColumns(webhook.properties, { active: 'activity' }),
      table: ['id', 'url', 'events', 'active', 'description'],
      optional: ['events', 'description'],
    },
    fields: Object.keys(newWebhook.properties),
    changeFields: Object.keys(webhookChange.properties),
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
