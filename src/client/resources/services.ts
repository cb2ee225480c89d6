import {
  salonServiceEndpoints as endpoints,
  type NewSalonService,
  type SalonService,
  type SalonServiceChange,
} from '../../contract/salon-service.ts';
import type { ApiContext } from '../api-context.ts';
import {
  type Collection,
  createCollection,
  createDelete,
  type Delete,
  type ResourceQuery,
} from './collection.ts';
import { createUpdate, type UpdatableResource, type Update } from './update-record.ts';

const resource: UpdatableResource = {
  noun: 'service',
  plural: 'services',
  list: endpoints.listServices,
  get: endpoints.getService,
  create: endpoints.createService,
  update: endpoints.updateService,
};

type Query = ResourceQuery<'listServices'>;

/** What the salon offers, how long it takes and what it costs. */
export interface ServiceCollection extends Collection<SalonService, Query, NewSalonService> {
  /** Stylists who offer a service get its new name. */
  readonly update: Update<SalonService, SalonServiceChange>;
  readonly delete: Delete;
}

export function createServiceCollection(context: ApiContext): ServiceCollection {
  const collection = createCollection<SalonService, Query, NewSalonService>(resource, context);
  return {
    ...collection,
    update: createUpdate(resource, context, collection),
    delete: createDelete(resource, endpoints.deleteService, context),
  };
}
