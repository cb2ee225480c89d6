import {
  salonServiceEndpoints as endpoints,
  type NewSalonService,
  type SalonService,
  type SalonServiceChange,
} from '../../contract/salon-service.ts';
import { assertIdentifier } from '../http/request-path.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import { type Collection, createCollection, createGuardedCall, type ResourceQuery } from './collection.ts';
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
  /** With `ifMatch`, throws `precondition_failed` if the entity tag has changed. */
  delete(id: string, options?: { readonly ifMatch?: string | undefined }): Promise<void>;
}

export function createServiceCollection(context: ApiContext): ServiceCollection {
  const collection = createCollection<SalonService, Query, NewSalonService>(resource, context);
  const call = createGuardedCall(resource.get, context);
  return {
    ...collection,
    update: createUpdate(resource, context, collection),
    async delete(id, { ifMatch } = {}) {
      assertIdentifier(id, resource.noun);
      await call(endpoints.deleteService, { id }, ifMatch);
    },
  };
}
