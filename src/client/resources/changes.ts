import { changesEndpoints } from '../../contract/changes.ts';
import type { QueryOf, ResponseOf } from '../../contract/endpoints.ts';
import { parseWait } from '../../contract/formats.ts';
import type { ApiContext } from '../api-context.ts';
import { isFields } from '../json-object.ts';
import { noRecord } from './response-record.ts';

/** Changes, and the position behind them. */
export type ChangePage = ResponseOf<'listChanges'>;

export type ChangeReader = (query?: QueryOf<'listChanges'>) => Promise<ChangePage>;

/** Throws `not_supported` where the server is not known to have changes, before anything is sent. */
export function createChangeReader({ api }: ApiContext): ChangeReader {
  return async (query) => {
    const heldMs = parseWait(query?.wait ?? '');
    const response = await api.endpoint(changesEndpoints.listChanges, { query, heldMs });
    const { body } = response;
    const isPage = isFields(body) && Array.isArray(body['data']) && typeof body['position'] === 'string';
    if (isPage) return body as ChangePage;
    throw noRecord(response, 'changes');
  };
}
