import type { SalonClient } from '../../../client/client.ts';
import type { Fields } from '../../../client/http/decode.ts';
import { SalonError } from '../../../contract/errors.ts';
import { isIdentifier } from '../../../contract/identifiers.ts';
import type { Edit } from '../../edit/edit.ts';
import { toMatchKey } from '../../edit/match-key.ts';

/**
 * Asks the server for the records with one key: none or one for an identifier, else as many as there are, a few of
 * them where they are many. Undefined where this server cannot be asked so.
 */
export type AskOne = (key: string) => Promise<readonly Fields[] | undefined>;

export interface Asking {
  readonly client: SalonClient;
  readonly noun: Edit['noun'];
  readonly match: string;
}

/** Undefined where records are not to be had by this field. */
export function createAskOne(asking: Asking): AskOne | undefined {
  if (asking.match === 'id') return askById(asking);
  return filters[asking.noun].includes(asking.match) ? askByFilter(asking) : undefined;
}

/** Fields that the contract's lists can be asked for. */
const filters: Readonly<Record<Edit['noun'], readonly string[]>> = {
  clients: ['email', 'phone'],
  appointments: [],
};

function askById({ client, noun }: Asking): AskOne {
  let isThere = false;
  return async (id) => {
    if (!isIdentifier(id)) return [];
    try {
      const record = await client[noun].get(id, { searchesList: false });
      isThere = true;
      return [record];
    } catch (thrown) {
      const code = thrown instanceof SalonError ? thrown.code : undefined;
      if (code !== 'not_found' && code !== 'not_supported') throw thrown;
      isThere ||= code === 'not_found';
      // A foreign 404 means the path as well as the record, until a record has been had from it.
      return isThere ? [] : undefined;
    }
  };
}

/** More than one record is one too many already. */
const enough = 5;

/** The filter goes out as a parameter of its own, so that a server that passes it over is seen by its first row. */
function askByFilter({ client, noun, match }: Asking): AskOne {
  const name = client.dialect().filterNames[match] ?? match;
  return async (key) => {
    const found: Fields[] = [];
    try {
      for await (const { rows } of client[noun].list(undefined, { parameters: { [name]: key } })) {
        const records: readonly Fields[] = rows;
        if (records.some((record) => toMatchKey(match, record[match]) !== key)) return undefined;
        found.push(...records.slice(0, enough - found.length));
        if (found.length === enough) break;
      }
    } catch (thrown) {
      const isRefused = thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422);
      if (!isRefused) throw thrown;
      return undefined;
    }
    return found;
  };
}
