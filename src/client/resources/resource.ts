import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { webhookEndpoints } from '../../contract/webhook.ts';
import type { ListResource } from '../pagination/page-fetcher.ts';

/** The endpoints and names of a resource. */
export interface Resource extends ListResource {
  readonly noun: string;
  readonly get: Endpoint;
  readonly create: Endpoint;
}

export interface UpdatableResource extends Resource {
  readonly update: Endpoint;
}

export const appointmentResource: UpdatableResource = {
  noun: 'appointment',
  plural: 'appointments',
  list: endpoints.listAppointments,
  get: endpoints.getAppointment,
  create: endpoints.createAppointment,
  update: endpoints.updateAppointment,
};

export const clientResource: UpdatableResource = {
  noun: 'client',
  plural: 'clients',
  list: endpoints.listClients,
  get: endpoints.getClient,
  create: endpoints.createClient,
  update: endpoints.updateClient,
};

export const stylistResource: UpdatableResource = {
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

export const webhookResource: UpdatableResource = {
  noun: 'webhook',
  plural: 'webhooks',
  list: webhookEndpoints.listWebhooks,
  get: webhookEndpoints.getWebhook,
  create: webhookEndpoints.createWebhook,
  update: webhookEndpoints.updateWebhook,
};
