import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { webhookEndpoints } from '../../contract/webhook.ts';
import type { ListResource } from '../pagination/page-fetcher.ts';

/** The endpoints of one kind of record, and what the kind is called. */
export interface Resource extends ListResource {
  readonly noun: string;
  readonly get: Endpoint;
  readonly create: Endpoint;
}

/** A kind whose records can be changed. */
export interface ChangeableResource extends Resource {
  readonly update: Endpoint;
}

export const appointmentResource: ChangeableResource = {
  noun: 'appointment',
  plural: 'appointments',
  list: endpoints.listAppointments,
  get: endpoints.getAppointment,
  create: endpoints.createAppointment,
  update: endpoints.updateAppointment,
};

export const clientResource: ChangeableResource = {
  noun: 'client',
  plural: 'clients',
  list: endpoints.listClients,
  get: endpoints.getClient,
  create: endpoints.createClient,
  update: endpoints.updateClient,
};

export const stylistResource: ChangeableResource = {
  noun: 'stylist',
  plural: 'stylists',
  list: endpoints.listStylists,
  get: endpoints.getStylist,
  create: endpoints.createStylist,
  update: endpoints.updateStylist,
};

export const paymentResource: Resource = {
  noun: 'payment',
  plural: 'payments',
  list: endpoints.listPayments,
  get: endpoints.getPayment,
  create: endpoints.createPayment,
};

export const webhookResource: ChangeableResource = {
  noun: 'webhook',
  plural: 'webhooks',
  list: webhookEndpoints.listWebhooks,
  get: webhookEndpoints.getWebhook,
  create: webhookEndpoints.createWebhook,
  update: webhookEndpoints.updateWebhook,
};
