import {
  type BlockedTime,
  type BlockedTimeChange,
  blockedTimeEndpoints as endpoints,
  type NewBlockedTime,
  type WrittenBlockedTime,
} from '../../contract/blocked-time.ts';
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
  noun: 'blocked time',
  plural: 'blocked times',
  list: endpoints.listBlockedTimes,
  get: endpoints.getBlockedTime,
  create: endpoints.createBlockedTime,
  update: endpoints.updateBlockedTime,
};

type Query = ResourceQuery<'listBlockedTimes'>;

/** Time in which a stylist, or nobody, can be booked. What is written names the appointments in it. */
export interface BlockedTimeCollection
  extends Collection<BlockedTime, Query, NewBlockedTime, WrittenBlockedTime> {
  readonly update: Update<WrittenBlockedTime, BlockedTimeChange>;
  readonly delete: Delete;
}

export function createBlockedTimeCollection(context: ApiContext): BlockedTimeCollection {
  const collection = createCollection<BlockedTime, Query, NewBlockedTime, WrittenBlockedTime>(
    resource,
    context,
  );
  return {
    ...collection,
    // Without the appointments, which are no part of the record.
    update: createUpdate<WrittenBlockedTime, BlockedTimeChange>(
      resource,
      context,
      collection as Collection<WrittenBlockedTime, never, never>,
    ),
    delete: createDelete(resource, endpoints.deleteBlockedTime, context),
  };
}
