import type { Dialect } from '../../client/dialect/dialect.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseBooleanFlag } from '../flags/values.ts';
import type { Profile } from './profiles.ts';

type Part = Exclude<keyof Dialect, 'filterNames'>;

/** The settings of a dialect that can be configured, by their names in `profiles set`. */
const parts: Readonly<
  Record<string, { readonly part: Part; readonly parse: (text: string, name: string) => unknown }>
> = {
  prefix: { part: 'prefix', parse: parsePrefix },
  page_parameter: { part: 'pageParameter', parse: parseWordOrNone },
  per_page_parameter: { part: 'perPageParameter', parse: parseWordOrNone },
  rows_key: { part: 'rowsKey', parse: parseWordOrNone },
  total_key: { part: 'totalKey', parse: parseWordOrNone },
  idempotency_keys: { part: 'idempotencyKeys', parse: parseBooleanFlag },
};

const filterSetting = /^filter\.([a-z_]+)$/;

/** All names, for help and suggestions. */
export const dialectSettings: readonly string[] = [...Object.keys(parts), 'filter.<name>'];

/** Returns the changed profile; undefined for an unknown setting. Throws `usage` for an invalid value. */
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
  throw new SalonError('usage', `"${text}" is not a valid prefix.`, {
    hint: 'Use a path such as /api/v1, or leave it empty.',
  });
}

function parseWord(text: string, name: string): string {
  if (/^[A-Za-z0-9_.[\]-]{1,64}$/.test(text)) return text;
  throw new SalonError('usage', `"${text}" is not a valid ${name}.`, {
    hint: 'Use a parameter name of the server, such as page_size.',
  });
}

/** `none` means that the server has no such parameter or key. */
function parseWordOrNone(text: string, name: string): string | null {
  return text === 'none' ? null : parseWord(text, name);
}
