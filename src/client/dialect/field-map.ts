import type { AppointmentStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber } from '../../text/json.ts';
import { toUtcText } from '../../time/time.ts';
import { type Fields, isFields } from '../json-object.ts';

/** By resource of the contract, the server's names for fields; the contract's statuses for the server's words. */
export interface ServerNames {
  readonly fields: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  readonly statuses: Readonly<Record<string, AppointmentStatus>>;
  /** By path of flags that decide whatever the word says. */
  readonly statusFlags?: Readonly<Record<string, AppointmentStatus>>;
  /** What stands for the year of a birthday without one. */
  readonly birthdayWithoutYear?: '-' | '0000' | null;
}

/** Translates the records of one resource between the contract's names and words and those of a server. */
export type FieldMap = NonNullable<ReturnType<typeof createFieldMap>>;

/** The name of a field, or a status, of the server that is not what the contract calls so. */
const toOwnName = (name: string) => `server_${name}`;

/** Undefined where a server has the contract's names and words. Fields that are not in the map keep their name. */
export function createFieldMap(
  { fields, statuses, statusFlags = {}, birthdayWithoutYear: year = null }: ServerNames,
  plural: string,
) {
  const words = plural === 'appointments' ? statuses : {};
  const flags = plural === 'appointments' ? Object.entries(statusFlags) : [];
  const paths = new Map(
    Object.entries(fields[plural] ?? {}).map(([name, path]) =>
      path === null ? [toOwnName(name), name] : [name, path],
    ),
  );
  const hasOwnYear = plural === 'clients' && year !== null && year !== '-';
  if (paths.size === 0 && Object.keys(words).length === 0 && flags.length === 0 && !hasOwnYear)
    return undefined;
  const [plain, nested] = [false, true].map((isNested) =>
    [...paths].filter(([, path]) => /[.+]/.test(path) === isNested),
  ) as [[string, string][], [string, string][]];
  const names = new Map(plain.map(([name, path]) => [path, name]));
  const times = new Set(nested.flatMap(([, path]) => (path.includes('.') ? [] : path.split('+'))));
  // A length that a server shows by its end alone.
  const hasEnd = paths.has('end_time') && !paths.has('duration');
  const wordsFor = (status: unknown) => Object.keys(words).filter((word) => words[word] === status);
  const toContract = (name: string) => (paths.has(name) ? name : (names.get(name) ?? name));
  return {
    hasEnd,
    toContract,
    toServer: (name: string) => paths.get(name)?.split('+')[0] ?? name,
    /** A filter for statuses in the server's words. */
    toWords: (wanted: string) =>
      wanted
        .split(',')
        .flatMap((status) => [wordsFor(status), status].find(({ length }) => length > 0) ?? [])
        .join(','),
    /** The members of a record that hold fields of a change, and that a change replaces. */
    containersOf: (change: Fields) =>
      nested.flatMap(([name, path]) => (name in change && path.includes('.') ? path.split('.', 1) : [])),
    /** Fields that a person gave under names of either side. Throws `usage` for two values of one field. */
    adopt(given: Fields): Fields {
      const twice = Object.keys(given).find((name) => toContract(name) !== name && toContract(name) in given);
      if (twice === undefined)
        return Object.fromEntries(Object.entries(given).map(([name, value]) => [toContract(name), value]));
      const message = `${twice} is the server's name for ${toContract(twice)}: give one of them.`;
      throw new SalonError('usage', message);
    },
    read(record: Fields): Fields {
      const row: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(record))
        if (!times.has(name)) row[toRowName(name, record)] = toTime(value, names.get(name));
      for (const [name, path] of nested) {
        const parts = path.split('+').map((one) => joinValues(readAll(record, one.split('.')), name));
        if (parts.some((part) => part !== undefined && part !== null))
          row[name] = parts.length === 1 ? parts[0] : parts.join(' ');
      }
      const { status, birthday } = row;
      if (hasOwnYear && String(birthday).startsWith(`${year}-`))
        row['birthday'] = String(birthday).replace(year, '-');
      const meaning = Object.hasOwn(words, String(status)) ? words[String(status)] : undefined;
      const raised = flags.find(([path]) => {
        const values = readAll(record, path.split('.'));
        return values.length > 0 && values.every((value) => value === true);
      });
      const shown = raised?.[1] ?? meaning;
      if (shown !== undefined) row['status'] = shown;
      if (shown !== undefined && wordsFor(shown)[0] !== status) row[toOwnName('status')] = status;
      const minutes = hasEnd ? (toMs(row['end_time']) - toMs(row['start_time'])) / 60_000 : Number.NaN;
      return Number.isNaN(minutes) || 'duration' in row ? row : { ...row, duration: minutes };
    },
    write(given: Fields): Fields {
      const { [toOwnName('status')]: own, ...fields } = given;
      const [first, ...others] = wordsFor(fields['status']);
      const isFlag = own !== undefined && flags.some(([, shown]) => shown === fields['status']);
      const status = isFlag ? own : (others.find((word) => word === own) ?? first ?? fields['status']);
      let record: Fields = {};
      for (const [name, value] of Object.entries(fields)) {
        const path = paths.get(name) ?? name;
        if (!/[.+]/.test(path) && !(hasEnd && name === 'duration'))
          record = { ...record, [path]: name === 'status' ? status : toOwnValue(name, value) };
      }
      for (const [name, path] of nested) {
        if (!(name in fields)) continue;
        const keys = path.split('+');
        const values = keys.length === 1 ? [fields[name]] : String(fields[name] ?? '').split(/[T ]/);
        for (const [index, key] of keys.entries())
          record = withMember(record, key.split('.'), values[index] ?? null) as Fields;
      }
      return record;
    },
  };

  function toOwnValue(name: string, value: unknown): unknown {
    const isWithoutYear = hasOwnYear && name === 'birthday' && String(value).startsWith('--');
    return isWithoutYear ? String(value).replace('-', year) : value;
  }

  function toRowName(name: string, record: Fields): string {
    const own = names.get(name) ?? name;
    if (own === name || !Object.hasOwn(record, own) || names.has(own)) return own;
    const message = `The server has a field ${own} besides ${name}, which the dialect calls ${own}.`;
    const hint = `Set ${own} in fields.${plural} of the dialect to null if it is something else.`;
    throw new SalonError('unexpected_response', message, { hint });
  }
}

/** Unix seconds or milliseconds of a time that only the server sets, as the contract writes times. */
function toTime(value: unknown, name = ''): unknown {
  if (!name.endsWith('_at') || !isJsonNumber(value)) return value;
  return toUtcText(Number(value) * (Number(value) < 1e11 ? 1_000 : 1));
}

/** The values at a path, in which `*` is every item of a list. */
function readAll(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (key === undefined) return value === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const keys = key === '*' ? Object.keys(value) : [key].filter((one) => Object.hasOwn(value, one));
  return keys.flatMap((one) => readAll((value as Fields)[one], rest));
}

/** What several items have together: lengths add up, and several people are none that could be named. */
function joinValues(values: readonly unknown[], name: string): unknown {
  const [first] = values;
  if (values.length < 2) return first;
  if (values.every(isJsonNumber)) return values.reduce<number>((sum, value) => sum + Number(value), 0);
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? first : name.endsWith('_id') ? undefined : distinct.join(', ');
}

/** A local time or an instant, to be compared with another one of the same form. */
function toMs(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value.replace(/^(\S{10}) ([\d:.]+)$/, '$1T$2Z')) : Number.NaN;
}

/** A copy of an object or array with a member at a path. Throws `usage` where there are several such members. */
function withMember(container: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (key !== '*' && !/^\d+$/.test(key)) {
    const fields = isFields(container) ? container : {};
    return { ...fields, [key]: rest.length === 0 ? value : withMember(fields[key], rest, value) };
  }
  const items: unknown[] = Array.isArray(container) ? [...container] : [];
  if (key === '*' && items.length > 1)
    throw new SalonError('usage', `This record has ${items.length} parts, of which each has its own value.`, {
      hint: "Change it with the server's own tools.",
    });
  const index = key === '*' ? 0 : Number(key);
  items[index] = rest.length === 0 ? value : withMember(items[index], rest, value);
  return items;
}
