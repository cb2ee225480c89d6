import { silentUrl } from './make-webhooks.ts';

/** A body that each operation accepts, except bookings and what needs a client. */
export const postBodies: Readonly<Record<string, object>> = {
  createClient: { first_name: 'Ana' },
  createBlockedTime: {
    ...{ stylist_id: null, reason: 'closed' },
    ...{ start_time: '2032-01-07T10:00:00Z', end_time: '2032-01-08T10:00:00Z' },
  },
  createService: { name: 'Cut', duration: 30 },
  createStylist: { first_name: 'Sam' },
  createPayment: { amount: 4500, currency: 'EUR', method: 'cash' },
  createWebhook: { url: silentUrl },
  createApiKey: { name: 'till', role: 'viewer' },
  createOauthClient: { name: 'Shop', redirect_uris: ['https://shop.example/back'] },
  redeliverSome: { created_from: '2026-01-01' },
};

/** A body of the waiting list. */
export function toWaitlistEntry(client_id: string) {
  return { client_id, service: 'Cut', from: '2032-01-07T10:00:00Z', to: '2032-01-08T10:00:00Z' };
}

/** The operation that adds a record to a list. */
export const makers: Readonly<Record<string, string>> = {
  'api-keys': 'createApiKey',
  'oauth-clients': 'createOauthClient',
  payments: 'createPayment',
};
