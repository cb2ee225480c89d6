import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/endpoints.ts';

/** The endpoints of one kind of record, and what the kind is called. */
export interface Kind {
  readonly noun: string;
  readonly plural: string;
  readonly list: Endpoint;
  readonly get: Endpoint;
  readonly create: Endpoint;
  readonly update: Endpoint;
}

export const appointmentKind: Kind = {
  noun: 'appointment',
  plural: 'appointments',
  list: endpoints.listAppointments,
  get: endpoints.getAppointment,
  create: endpoints.createAppointment,
  update: endpoints.updateAppointment,
};

export const clientKind: Kind = {
  noun: 'client',
  plural: 'clients',
  list: endpoints.listClients,
  get: endpoints.getClient,
  create: endpoints.createClient,
  update: endpoints.updateClient,
};

export const stylistKind: Kind = {
  noun: 'stylist',
  plural: 'stylists',
  list: endpoints.listStylists,
  get: endpoints.getStylist,
  create: endpoints.createStylist,
  update: endpoints.updateStylist,
};
