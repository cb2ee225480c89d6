import { endpoints } from '../../contract/endpoints.ts';
import type { NewStylist, Stylist, StylistChange } from '../../contract/stylist.ts';
import type { ApiContext } from '../api-context.ts';
import { type Collection, createCollection, type ResourceQuery } from './collection.ts';
import { createUpdate, type UpdatableResource, type Update } from './update-record.ts';

const resource: UpdatableResource = {
  noun: 'stylist',
  plural: 'stylists',
  list: endpoints.listStylists,
  get: endpoints.getStylist,
  create: endpoints.createStylist,
  update: endpoints.updateStylist,
};

type StylistQuery = ResourceQuery<'listStylists'>;

export interface StylistCollection extends Collection<Stylist, StylistQuery, NewStylist> {
  readonly update: Update<Stylist, StylistChange>;
}

export function createStylistCollection(context: ApiContext): StylistCollection {
  const collection = createCollection<Stylist, StylistQuery, NewStylist>(resource, context);
  return { ...collection, update: createUpdate(resource, context, collection) };
}
