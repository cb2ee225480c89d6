import type { ApiContext } from '../pagination/page-requests.ts';
import { type ApiKeyCollection, createApiKeyCollection } from './api-keys.ts';
import { type AppointmentCollection, createAppointmentCollection } from './appointments.ts';
import { type AuditLog, createAuditLog } from './audit.ts';
import { type ClientCollection, createClientCollection } from './clients.ts';
import { createPaymentCollection, type PaymentCollection } from './payments.ts';
import { createStylistCollection, type StylistCollection } from './stylists.ts';
import { createWebhookCollection, type WebhookCollection } from './webhooks.ts';

/** The resources of a service. */
export interface Collections {
  readonly appointments: AppointmentCollection;
  readonly clients: ClientCollection;
  readonly stylists: StylistCollection;
  readonly payments: PaymentCollection;
  readonly webhooks: WebhookCollection;
  readonly apiKeys: ApiKeyCollection;
  readonly audit: AuditLog;
}

export function createCollections(context: ApiContext): Collections {
  const appointments = createAppointmentCollection(context);
  return {
    appointments,
    clients: createClientCollection(context),
    stylists: createStylistCollection(context, appointments),
    payments: createPaymentCollection(context),
    webhooks: createWebhookCollection(context),
    apiKeys: createApiKeyCollection(context),
    audit: createAuditLog(context),
  };
}
