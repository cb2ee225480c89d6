import type { BodyOf, Me, Operation, QueryOf, ResponseOf } from '../../contract/endpoints.ts';
import type { Problem, SalonError } from '../../contract/errors.ts';
import { scopesWith } from '../../contract/roles.ts';
import { createAppointmentBatch } from '../domain/appointment-batch.ts';
import * as appointments from '../domain/appointments.ts';
import { listAuditLog } from '../domain/audit-log.ts';
import { getAvailability } from '../domain/availability.ts';
import * as blockedTimes from '../domain/blocked-times.ts';
import { type ChangesAsJson, readChanges } from '../domain/changes.ts';
import { mergeClients, unmergeClients } from '../domain/client-merge.ts';
import * as clients from '../domain/clients.ts';
import type { Caller, Context } from '../domain/context.ts';
import * as deliveries from '../domain/deliveries.ts';
import type { FindRecords, PageOfRecords } from '../domain/list-page.ts';
import * as payments from '../domain/payments.ts';
import * as services from '../domain/salon-services.ts';
import { getSalon, updateSalon } from '../domain/salon-settings.ts';
import * as stylists from '../domain/stylists.ts';
import * as waitlist from '../domain/waitlist.ts';
import * as webhooks from '../domain/webhooks.ts';
import * as apiKeys from '../identity/api-keys.ts';
import { getKeyUsage } from '../identity/key-usage.ts';
import * as oauthClients from '../identity/oauth-clients.ts';
import { parseIfMatch } from './responses.ts';

/** A request whose query and body match the operation's schemas. */
export interface OperationRequest<Op extends Operation> {
  readonly context: Context;
  /** The `:id` in the path; empty if there is none. */
  readonly id: string;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  /** The tags in `If-Match`; undefined if the request is unconditional. */
  readonly ifMatch: readonly string[] | undefined;
  /** An error as a member of the response. */
  readonly toProblem: (error: SalonError) => Problem;
}

/** The result of an operation: a page of a list, a record, or nothing. */
export type OperationResult<Op extends Operation> =
  ResponseOf<Op> extends { pagination: unknown }
    ? PageOfRecords
    : Op extends 'listChanges'
      ? ChangesAsJson
      : ResponseOf<Op> extends object
        ? ResponseOf<Op>
        : undefined;

type Handlers = {
  readonly [Op in Exclude<Operation, 'checkWrites'>]: (
    request: OperationRequest<Op>,
  ) => Promise<OperationResult<Op>>;
};

/** Calls the domain function of each operation; a dry run calls these handlers itself. */
export const handlers: Handlers = {
  listAppointments: ({ context, query }) => appointments.listAppointments(context, query),
  createAppointment: ({ context, body }) => appointments.createAppointment(context, body),
  createAppointments: ({ context, body, toProblem }) => createAppointmentBatch(context, body, toProblem),
  getAppointment: ({ context, id }) => appointments.getAppointment(context, id),
  updateAppointment: ({ context, id, body, ifMatch }) =>
    appointments.updateAppointment(context, id, { change: body, ifMatch }),
  // PATCH means the same as PUT.
  patchAppointment: ({ context, id, body, ifMatch }) =>
    appointments.updateAppointment(context, id, { change: body, ifMatch }),
  cancelAppointment: ({ context, id, body, ifMatch }) =>
    appointments.cancelAppointment(context, id, { reason: body.cancellation_reason, ifMatch }),
  listBlockedTimes: ({ context, query }) => blockedTimes.listBlockedTimes(context, query),
  createBlockedTime: ({ context, body }) => blockedTimes.createBlockedTime(context, body),
  getBlockedTime: ({ context, id }) => blockedTimes.getBlockedTime(context, id),
  updateBlockedTime: ({ context, id, body, ifMatch }) =>
    blockedTimes.updateBlockedTime(context, id, { change: body, ifMatch }),
  deleteBlockedTime: ({ context, id, ifMatch }) => blockedTimes.deleteBlockedTime(context, id, { ifMatch }),
  getAvailability: ({ context, query }) => getAvailability(context, query),
  listWaitlistEntries: ({ context, query }) => waitlist.listWaitlistEntries(context, query),
  createWaitlistEntry: ({ context, body }) => waitlist.createWaitlistEntry(context, body),
  getWaitlistEntry: ({ context, id }) => waitlist.getWaitlistEntry(context, id),
  updateWaitlistEntry: ({ context, id, body, ifMatch }) =>
    waitlist.updateWaitlistEntry(context, id, { change: body, ifMatch }),
  deleteWaitlistEntry: ({ context, id, ifMatch }) => waitlist.deleteWaitlistEntry(context, id, { ifMatch }),
  listClients: ({ context, query }) => clients.listClients(context, query),
  createClient: ({ context, body }) => clients.addClient(context, body),
  getClient: ({ context, id }) => clients.getClient(context, id),
  updateClient: ({ context, id, body, ifMatch }) =>
    clients.updateClient(context, id, { change: body, ifMatch }),
  patchClient: ({ context, id, body, ifMatch }) =>
    clients.updateClient(context, id, { change: body, ifMatch }),
  deleteClient: ({ context, id, query, ifMatch }) =>
    clients.deleteClient(context, id, { force: query.force ?? false, ifMatch }),
  mergeClients: ({ context, id, body, ifMatch }) =>
    mergeClients(context, id, { ...body, ifMatch, fromIfMatch: parseIfMatch(body.from_if_match) }),
  unmergeClients: ({ context, id, body, ifMatch }) =>
    unmergeClients(context, id, { from: body.from, ifMatch }),
  getSalon: ({ context }) => getSalon(context),
  updateSalon: ({ context, body, ifMatch }) => updateSalon(context, { change: body, ifMatch }),
  listServices: ({ context, query }) => services.listServices(context, query),
  createService: ({ context, body }) => services.createService(context, body),
  getService: ({ context, id }) => services.getService(context, id),
  updateService: ({ context, id, body, ifMatch }) =>
    services.updateService(context, id, { change: body, ifMatch }),
  deleteService: ({ context, id, ifMatch }) => services.deleteService(context, id, { ifMatch }),
  listStylists: ({ context, query }) => stylists.listStylists(context, query),
  createStylist: ({ context, body }) => stylists.createStylist(context, body),
  getStylist: ({ context, id }) => stylists.getStylist(context, id),
  updateStylist: ({ context, id, body, ifMatch }) =>
    stylists.updateStylist(context, id, { change: body, ifMatch }),
  listPayments: ({ context, query }) => payments.listPayments(context, query),
  createPayment: ({ context, body }) => payments.createPayment(context, body),
  getPayment: ({ context, id }) => payments.getPayment(context, id),
  refundPayment: ({ context, id, body, ifMatch }) =>
    payments.refundPayment(context, id, { amount: body.amount, ifMatch }),
  voidPayment: ({ context, id, ifMatch }) => payments.voidPayment(context, id, { ifMatch }),
  listWebhooks: ({ context, query }) => webhooks.listWebhooks(context, query),
  createWebhook: ({ context, body }) => webhooks.createWebhook(context, body),
  listEventTypes: async ({ context }) => webhooks.listEventTypes(context),
  getWebhook: ({ context, id }) => webhooks.getWebhook(context, id),
  updateWebhook: ({ context, id, body, ifMatch }) =>
    webhooks.updateWebhook(context, id, { change: body, ifMatch }),
  deleteWebhook: ({ context, id, ifMatch }) => webhooks.deleteWebhook(context, id, { ifMatch }),
  testWebhook: ({ context, id }) => deliveries.testWebhook(context, id),
  rotateWebhookSecret: ({ context, id }) => webhooks.rotateWebhookSecret(context, id),
  listDeliveries: ({ context, id, query }) => deliveries.listDeliveries(context, id, query),
  listAllDeliveries: ({ context, query }) => deliveries.listAllDeliveries(context, query),
  redeliverSome: ({ context, id, body }) => deliveries.redeliverSome(context, id, body),
  redeliver: ({ context, id }) => deliveries.redeliver(context, id),
  listAuditLog: ({ context, query }) => listAuditLog(context, query),
  listChanges: ({ context, query }) => readChanges(context, query),
  listApiKeys: ({ context, query }) => apiKeys.listApiKeys(context, query),
  getKeyUsage: ({ context }) => getKeyUsage(context),
  createApiKey: ({ context, body }) => apiKeys.createApiKey(context, body),
  revokeApiKey: ({ context, id }) => apiKeys.revokeApiKey(context, id),
  rollApiKey: ({ context, id, body }) => apiKeys.rollApiKey(context, id, body),
  listOauthClients: ({ context, query }) => oauthClients.listOauthClients(context, query),
  createOauthClient: ({ context, body }) => oauthClients.createOauthClient(context, body),
  deleteOauthClient: ({ context, id }) => oauthClients.deleteOauthClient(context, id),
  rotateOauthClientSecret: ({ context, id }) => oauthClients.rotateOauthClientSecret(context, id),
  getMe: async ({ context }) => toMe(context.caller),
};

/** The lists that can be sent whole. */
export const streamedLists: Readonly<Partial<Record<Operation, FindRecords>>> = {
  listAppointments: appointments.findAppointments,
  listClients: clients.findClients,
  listPayments: payments.findPayments,
};

function toMe({ account, role, scopes, stylistId, credential }: Caller): Me {
  return {
    account: { id: account.id, name: account.name, plan: account.plan, hourly_limit: account.hourlyLimit },
    role,
    scopes: scopesWith(role, scopes),
    stylist_id: stylistId,
    key:
      credential.kind === 'api_key'
        ? {
            id: credential.id,
            name: credential.name,
            expires_at: credential.expiresAt?.toISOString() ?? null,
          }
        : null,
    user: 'user' in credential ? credential.user : null,
    app: credential.kind === 'token' ? credential.app : null,
  };
}
