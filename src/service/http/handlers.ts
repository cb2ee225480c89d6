import type { BodyOf, Me, Operation, QueryOf, ResponseOf } from '../../contract/endpoints.ts';
import {
  cancelAppointment,
  createAppointment,
  findAppointments,
  getAppointment,
  listAppointments,
  updateAppointment,
} from '../domain/appointments.ts';
import { listAuditLog } from '../domain/audit-log.ts';
import { getAvailability } from '../domain/availability.ts';
import {
  createBlockedTime,
  deleteBlockedTime,
  getBlockedTime,
  listBlockedTimes,
  updateBlockedTime,
} from '../domain/blocked-times.ts';
import { mergeClients } from '../domain/client-merge.ts';
import { unmergeClients } from '../domain/client-unmerge.ts';
import {
  addClient,
  deleteClient,
  findClients,
  getClient,
  listClients,
  updateClient,
} from '../domain/clients.ts';
import type { Caller, Context } from '../domain/context.ts';
import {
  listAllDeliveries,
  listDeliveries,
  redeliver,
  redeliverSome,
  testWebhook,
} from '../domain/deliveries.ts';
import type { CollectionQuery, PageOfRecords } from '../domain/list-page.ts';
import {
  createPayment,
  findPayments,
  getPayment,
  listPayments,
  refundPayment,
  voidPayment,
} from '../domain/payments.ts';
import {
  createService,
  deleteService,
  getService,
  listServices,
  updateService,
} from '../domain/salon-services.ts';
import { getSalon, updateSalon } from '../domain/salon-settings.ts';
import { createStylist, getStylist, listStylists, updateStylist } from '../domain/stylists.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listEventTypes,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../domain/webhooks.ts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '../identity/api-keys.ts';
import {
  createOauthClient,
  deleteOauthClient,
  listOauthClients,
  rotateOauthClientSecret,
} from '../identity/oauth-clients.ts';
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
}

/** The result of an operation: a page of a list, a record, or nothing. */
export type OperationResult<Op extends Operation> =
  ResponseOf<Op> extends { pagination: unknown }
    ? PageOfRecords
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
  listAppointments: ({ context, query }) => listAppointments(context, query),
  createAppointment: ({ context, body }) => createAppointment(context, body),
  getAppointment: ({ context, id }) => getAppointment(context, id),
  updateAppointment: ({ context, id, body, ifMatch }) =>
    updateAppointment(context, id, { change: body, ifMatch }),
  // PATCH means the same as PUT.
  patchAppointment: ({ context, id, body, ifMatch }) =>
    updateAppointment(context, id, { change: body, ifMatch }),
  cancelAppointment: ({ context, id, body, ifMatch }) =>
    cancelAppointment(context, id, { reason: body.cancellation_reason, ifMatch }),
  listBlockedTimes: ({ context, query }) => listBlockedTimes(context, query),
  createBlockedTime: ({ context, body }) => createBlockedTime(context, body),
  getBlockedTime: ({ context, id }) => getBlockedTime(context, id),
  updateBlockedTime: ({ context, id, body, ifMatch }) =>
    updateBlockedTime(context, id, { change: body, ifMatch }),
  deleteBlockedTime: async ({ context, id, ifMatch }) => {
    await deleteBlockedTime(context, id, { ifMatch });
    return undefined;
  },
  getAvailability: ({ context, query }) => getAvailability(context, query),
  listClients: ({ context, query }) => listClients(context, query),
  createClient: ({ context, body }) => addClient(context, body),
  getClient: ({ context, id }) => getClient(context, id),
  updateClient: ({ context, id, body, ifMatch }) => updateClient(context, id, { change: body, ifMatch }),
  patchClient: ({ context, id, body, ifMatch }) => updateClient(context, id, { change: body, ifMatch }),
  deleteClient: async ({ context, id, query, ifMatch }) => {
    await deleteClient(context, id, { force: query.force ?? false, ifMatch });
    return undefined;
  },
  mergeClients: ({ context, id, body, ifMatch }) =>
    mergeClients(context, id, { ...body, ifMatch, fromIfMatch: parseIfMatch(body.from_if_match) }),
  unmergeClients: ({ context, id, body, ifMatch }) =>
    unmergeClients(context, id, { from: body.from, ifMatch }),
  getSalon: ({ context }) => getSalon(context),
  updateSalon: ({ context, body, ifMatch }) => updateSalon(context, { change: body, ifMatch }),
  listServices: ({ context, query }) => listServices(context, query),
  createService: ({ context, body }) => createService(context, body),
  getService: ({ context, id }) => getService(context, id),
  updateService: ({ context, id, body, ifMatch }) => updateService(context, id, { change: body, ifMatch }),
  deleteService: async ({ context, id, ifMatch }) => {
    await deleteService(context, id, { ifMatch });
    return undefined;
  },
  listStylists: ({ context, query }) => listStylists(context, query),
  createStylist: ({ context, body }) => createStylist(context, body),
  getStylist: ({ context, id }) => getStylist(context, id),
  updateStylist: ({ context, id, body, ifMatch }) => updateStylist(context, id, { change: body, ifMatch }),
  listPayments: ({ context, query }) => listPayments(context, query),
  createPayment: ({ context, body }) => createPayment(context, body),
  getPayment: ({ context, id }) => getPayment(context, id),
  refundPayment: ({ context, id, body, ifMatch }) =>
    refundPayment(context, id, { amount: body.amount, ifMatch }),
  voidPayment: ({ context, id, ifMatch }) => voidPayment(context, id, { ifMatch }),
  listWebhooks: ({ context, query }) => listWebhooks(context, query),
  createWebhook: ({ context, body }) => createWebhook(context, body),
  listEventTypes: async ({ context }) => listEventTypes(context),
  getWebhook: ({ context, id }) => getWebhook(context, id),
  updateWebhook: ({ context, id, body, ifMatch }) => updateWebhook(context, id, { change: body, ifMatch }),
  deleteWebhook: async ({ context, id, ifMatch }) => {
    await deleteWebhook(context, id, { ifMatch });
    return undefined;
  },
  testWebhook: ({ context, id }) => testWebhook(context, id),
  rotateWebhookSecret: ({ context, id }) => rotateWebhookSecret(context, id),
  listDeliveries: ({ context, id, query }) => listDeliveries(context, id, query),
  listAllDeliveries: ({ context, query }) => listAllDeliveries(context, query),
  redeliverSome: ({ context, id, body }) => redeliverSome(context, id, body),
  redeliver: ({ context, id }) => redeliver(context, id),
  listAuditLog: ({ context, query }) => listAuditLog(context, query),
  listApiKeys: ({ context, query }) => listApiKeys(context, query),
  createApiKey: ({ context, body }) => createApiKey(context, body),
  revokeApiKey: async ({ context, id }) => {
    await revokeApiKey(context, id);
    return undefined;
  },
  rollApiKey: ({ context, id, body }) => rollApiKey(context, id, body),
  listOauthClients: ({ context, query }) => listOauthClients(context, query),
  createOauthClient: ({ context, body }) => createOauthClient(context, body),
  deleteOauthClient: async ({ context, id }) => {
    await deleteOauthClient(context, id);
    return undefined;
  },
  rotateOauthClientSecret: ({ context, id }) => rotateOauthClientSecret(context, id),
  getMe: async ({ context }) => toMe(context.caller),
};

/** The lists that can be sent whole. */
export const streamedLists: Readonly<
  Partial<Record<Operation, (context: Context, query: object) => CollectionQuery>>
> = {
  listAppointments: findAppointments,
  listClients: findClients,
  listPayments: findPayments,
};

function toMe({ account, role, scopes, stylistId, credential }: Caller): Me {
  return {
    account: {
      id: account.id,
      name: account.name,
      plan: account.plan,
      hourly_limit: account.hourlyLimit,
    },
    role,
    scopes: [...scopes],
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
