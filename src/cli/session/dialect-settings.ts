import type { Dialect } from '../../client/dialect/dialect.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseTrueOrFalse } from '../flags/values.ts';
import type { Profile } from './profiles.ts';

type Part = Exclude<keyof Dialect, 'filterNames'>;

/** What a person may say about a server by hand, by the name `profiles set` knows it under. */
const parts: Readonly<
  Record<string, { readonly part: Part; readonly parse: (text: string, name: string) => unknown }>
> = {
  prefix: { part: 'prefix', parse: parsePrefix },
  page_parameter: { part: 'pageParameter', parse: parseWordOrNone },
  per_page_parameter: { part: 'perPageParameter', parse: parseWordOrNone },
  rows_key: { part: 'rowsKey', parse: parseWordOrNone },
  total_key: { part: 'totalKey', parse: parseWordOrNone },
  idempotency_keys: { part: 'idempotencyKeys', parse: parseTrueOrFalse },
};

const filterSetting = /^filter\.([a-z_]+)$/;

/** The names of all settings of a dialect, for help and for "did you mean". */
export const dialectSettings: readonly string[] = [...Object.keys(parts), 'filter.<name>'];

/** Changes the part of a dialect that a setting names; undefined when it names none. Throws `usage`. */
export function setDialect(profile: Profile, setting: string, value: string): Profile | undefined {
  const dialect = profile.dialect ?? {};
  const filter = filterSetting.exec(setting)?.[1];
  if (filter !== undefined) {
    const names = { ...(dialect['filterNames'] as object | undefined), [filter]: parseWord(value, setting) };
    return { ...profile, dialect: { ...dialect, filterNames: names } };
  }
  const known = Object.hasOwn(parts, setting) ? parts[setting] : undefined;
  return known && { ...profile, dialect: { ...dialect, [known.part]: known.parse(value, setting) } };
}

function parsePrefix(text: string): string {
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(text)) return text;
  throw new SalonError('usage', `prefix cannot be "${text}".`, {
    hint: 'A path such as /api/v1, or nothing.',
  });
}

function parseWord(text: string, name: string): string {
  if (/^[A-Za-z0-9_.[\]-]{1,64}$/.test(text)) return text;
  throw new SalonError('usage', `${name} cannot be "${text}".`, {
    hint: 'The name the server uses, such as page_size.',
  });
}

/** `none` says that the server has no such thing. */
function parseWordOrNone(text: string, name: string): string | null {
  return text === 'none' ? null : parseWord(text, name);
}
