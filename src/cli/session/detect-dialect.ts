import type { SalonClient } from '../../client/client.ts';
import { contractDialect } from '../../client/dialect/dialect.ts';
import { readPreset, recognizeList } from '../../client/dialect/presets.ts';
import { SalonError } from '../../contract/errors.ts';
import type { SavedDialect } from './configured-dialect.ts';

export interface DetectedServer {
  readonly dialect: SavedDialect;
  /** Where its list of clients is. */
  readonly path: string;
}

const prefixes = ['', '/api', '/v1', '/v2', '/api/v1', '/api/v2'];
const lists = ['/clients', '/clients/', '/customers', '/Clients'];

/**
 * Looks for the list of clients at the usual places and recognises the kind of server by its form. Yields every place
 * that has a list. Only reads, one request per place. Stops at errors that no other path would mend.
 */
export async function* detectDialects(client: SalonClient, root: string): AsyncGenerator<DetectedServer> {
  for (const prefix of prefixes) {
    for (const list of lists) {
      const path = root + prefix + list;
      const kind = await probe(client, path);
      if (kind !== undefined) yield { path, dialect: toDialect(kind, prefix, list) };
    }
  }
}

async function probe(client: SalonClient, path: string) {
  try {
    return recognizeList(await client.request('GET', path));
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return undefined;
  }
}

/** Whether an error may come from a wrong path or form, so that another dialect may help. */
export function isMisfit(error: unknown): error is SalonError {
  if (!(error instanceof SalonError) || error.retryable || error.code === 'address_not_allowed') return false;
  if (misfits.includes(error.code)) return true;
  const { status = 0 } = error;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

const misfits = [
  'not_supported',
  'unexpected_response',
  'redirect_refused',
  'response_too_large',
  'page_repeated',
];

/** What differs from the kind's ready-made dialect, or from the contract. */
function toDialect(kind: ReturnType<typeof recognizeList>, prefix: string, list: string): SavedDialect {
  const preset = kind === undefined || kind === 'unknown' ? undefined : kind;
  const usual = { ...contractDialect, ...(preset === undefined ? {} : readPreset(preset)) };
  const resource = list.replaceAll('/', '');
  const slash = list.endsWith('/') ? '/' : '';
  const found = {
    prefix,
    resources: resource === 'clients' ? {} : { ...usual.resources, clients: resource },
    listPath: `/{resource}${slash}`,
    itemPath: slash === '' ? usual.itemPath : `/{resource}/{id}${slash}`,
  };
  const isUsual = {
    prefix: prefix === usual.prefix,
    resources: resource === (usual.resources['clients'] ?? 'clients'),
    listPath: found.listPath === usual.listPath,
    itemPath: found.itemPath === usual.itemPath,
  };
  const differing = Object.entries(found).filter(([part]) => !isUsual[part as keyof typeof isUsual]);
  return { ...(preset === undefined ? {} : { extends: preset }), ...Object.fromEntries(differing) };
}
