import { type Availability, availabilityEndpoints } from '../../contract/availability.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import { salonEndpoints as endpoints, type Salon, type SalonChange } from '../../contract/salon.ts';
import type { ApiContext } from '../api-context.ts';
import type { Fields } from '../json-object.ts';
import { readHeader } from '../response-headers.ts';
import { createGuardedCall } from './collection.ts';
import { requireRecord, type Tagged } from './response-record.ts';

/** The settings of the salon as a whole, and its free time. */
export function createSalonResource(context: ApiContext) {
  const call = createGuardedCall(endpoints.getSalon, context);
  const getTagged = async (): Promise<Tagged<Salon>> => {
    const response = await context.api.endpoint(endpoints.getSalon);
    return { record: requireRecord<Salon>(response, 'salon'), etag: readHeader(response.headers, 'etag') };
  };
  return {
    /** When stylists can be booked. Throws `not_supported`, and `salon_settings_missing` without time zone or hours. */
    availability: async (query: QueryOf<'getAvailability'>) =>
      (await context.api.endpoint(availabilityEndpoints.getAvailability, { query })).body as Availability,
    /** Throws `not_supported` where the server has no such endpoint. */
    get: async () => (await getTagged()).record,
    /** `get` with the entity tag, which `ifMatch` takes. */
    getTagged,
    /** Changes the given settings; null clears one. With `ifMatch`, throws `precondition_failed` for another tag. */
    update: async (body: SalonChange | Fields, { ifMatch }: { readonly ifMatch?: string | undefined } = {}) =>
      requireRecord<Salon>(await call(endpoints.updateSalon, { body }, ifMatch), 'salon'),
  };
}
