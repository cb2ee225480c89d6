import { type Availability, availabilityEndpoints } from '../../contract/availability.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import { salonEndpoints as endpoints, type Salon, type SalonChange } from '../../contract/salon.ts';
import { toInstantMs } from '../../time/time.ts';
import type { ApiContext } from '../api-context.ts';
import type { ApiResponse } from '../http/decode.ts';
import { toUnknownResult } from '../http/retry.ts';
import { type Fields, isFields } from '../json-object.ts';
import { readHeader } from '../response-headers.ts';
import { createGuardedCall } from './collection.ts';
import { noRecord, type Tagged } from './response-record.ts';

/** The settings of the salon as a whole, and its free time. */
export interface SalonResource {
  /** When stylists can be booked. Throws `not_supported`, and `salon_settings_missing` without time zone or hours. */
  availability(query: QueryOf<'getAvailability'>): Promise<Availability>;
  /** Throws `not_supported` where the server has no such endpoint. */
  get(): Promise<Salon>;
  /** `get` with the entity tag, which `ifMatch` takes. */
  getTagged(): Promise<Tagged<Salon>>;
  /** Changes the given settings; null clears one. With `ifMatch`, throws `precondition_failed` for another tag. */
  update(change: SalonChange | Fields, options?: { readonly ifMatch?: string | undefined }): Promise<Salon>;
}

export function createSalonResource(context: ApiContext): SalonResource {
  const call = createGuardedCall(endpoints.getSalon, context);
  const getTagged = async (): Promise<Tagged<Salon>> => {
    const response = await context.api.endpoint(endpoints.getSalon);
    const record = readSalon(response);
    if (record === undefined) throw noRecord(response, 'salon');
    return { record, etag: readHeader(response.headers, 'etag') };
  };
  return {
    async availability(query) {
      const response = await context.api.endpoint(availabilityEndpoints.getAvailability, { query });
      const { body } = response;
      if (isAvailability(body)) return body;
      throw noRecord(response, 'free time');
    },
    get: async () => (await getTagged()).record,
    getTagged,
    async update(body, { ifMatch } = {}) {
      const response = await call(endpoints.updateSalon, { body }, ifMatch);
      const record = readSalon(response);
      if (record === undefined) throw toUnknownResult(noRecord(response, 'salon'), 'PATCH');
      return record;
    },
  };
}

/** Another server may have something else at this path. */
function readSalon({ body }: ApiResponse): Salon | undefined {
  return isFields(body) && 'time_zone' in body && 'opening_hours' in body ? (body as Salon) : undefined;
}

function isAvailability(body: unknown): body is Availability {
  if (!isFields(body) || typeof body['time_zone'] !== 'string' || !Array.isArray(body['data'])) return false;
  const isTime = (one: unknown) =>
    isFields(one) && Boolean(toInstantMs(one['start_time']) && toInstantMs(one['end_time']));
  return body['data'].every(
    (row) =>
      isFields(row) &&
      'stylist_id' in row &&
      Array.isArray(row['intervals']) &&
      row['intervals'].every(isTime),
  );
}
