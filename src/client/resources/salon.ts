import { salonEndpoints as endpoints, type Salon, type SalonChange } from '../../contract/salon.ts';
import type { ApiResponse } from '../http/decode.ts';
import { toUnknownResult } from '../http/retry.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import { readHeader } from '../response-headers.ts';
import { createGuardedCall } from './collection.ts';
import { noRecord, type Tagged } from './response-record.ts';

/** The settings of the salon as a whole. */
export interface SalonResource {
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
