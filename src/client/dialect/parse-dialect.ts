import { appointmentStatuses } from '../../contract/appointment.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toSettingName } from '../../settings.ts';
import { type Fields, isFields } from '../json-object.ts';
import {
  bodyFormats,
  type Dialect,
  filterStyles,
  type ListDialect,
  listParts,
  pagingStyles,
  updateMethods,
} from './dialect.ts';
import { presetNames, readPreset } from './presets.ts';

/** Returns the valid value of a member, or undefined. */
interface Rule<Value> {
  readonly parse: (value: unknown) => Value | undefined;
  readonly expected: string;
}

const printable = /^[!-~]{1,100}$/;
const name = text(printable, 'a name without spaces');
const flag: Rule<boolean> = {
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
  expected: 'true or false',
};
const segments = String.raw`(?:/(?!\.{1,2}(?:/|$))[\w.~{}()'-]+)`;

/** One rule for each member of a dialect. */
export const dialectRules: { readonly [Part in keyof Dialect]: Rule<Dialect[Part]> } = {
  prefix: text(new RegExp(`^${segments}*$`), 'a path such as /api/v1, or empty'),
  headers: mapOf(text(/^[\t -~]{1,4000}$/, 'a text'), /^[a-z0-9!#$%&'*+.^_`|~-]+$/i),
  resources: mapOf(text(/^[\w.~-]+(?:\/[\w.~-]+)*$/, 'a path such as customers')),
  listPath: text(new RegExp(`^(?=.*\\{resource\\})${segments}+/?$`), 'a path with {resource}'),
  itemPath: text(
    new RegExp(`^(?=.*\\{resource\\})(?=.*\\{(?:id|key)\\})${segments}+/?(?:\\?[!-~]+)?$`),
    'a path with {resource} and {id}',
  ),
  paging: oneOf(pagingStyles),
  pageParameter: orNull(name),
  firstPage: wholeNumber(0, 1),
  perPageParameter: orNull(name),
  perPage: wholeNumber(1, 10_000),
  listParameters: mapOf(text(/^[ -~]{1,400}$/, 'a text'), printable),
  mostDays: orNull(wholeNumber(1, 3_660)),
  nextKey: orNull(name),
  rowsKey: orNull(name),
  totalKey: orNull(name),
  fieldsKey: orNull(name),
  idKey: name,
  lists: {
    parse: parseLists,
    expected: 'an object of lists, such as {"appointments": {"paging": "offset"}}',
  },
  fields: {
    parse: parseFields,
    expected:
      'a field of the contract with its name on the server, which no other field has, as in {"clients": {"first_name": "given_name"}}',
  },
  statuses: mapOf(oneOf(appointmentStatuses), /^.{0,100}$/u),
  localTimes: flag,
  sortParameter: orNull(name),
  // With the field in the parameter, as in `sort[last_name]=desc`, the value is only the direction.
  sortAscending: text(/^[ -~]{1,100}$/, 'a text such as {field},asc'),
  sortDescending: text(/^[ -~]{1,100}$/, 'a text such as {field},desc'),
  filterStyle: oneOf(filterStyles),
  filterNames: mapOf(orNull(name)),
  updateMethod: oneOf(updateMethods),
  partialUpdates: flag,
  bodyFormat: oneOf(bodyFormats),
  bodyKeys: mapOf(name),
  numericIds: orNull(flag),
  clearHeaders: mapOf(text(/^[\t -~]{1,400}$/, 'a text'), /^[a-z0-9-]+$/i),
  failuresAreRefusals: flag,
  readOnlyFields: {
    parse: (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined,
    expected: 'an array of names',
  },
  idempotencyKeys: flag,
  idempotencyField: orNull(name),
};

/** The lists' own settings, under any of their names. */
function parseLists(value: unknown): Dialect['lists'] | undefined {
  if (!isFields(value)) return undefined;
  const lists = Object.entries(value).map(([plural, own]) => [plural, parseList(own)] as const);
  return lists.every(([, own]) => own !== undefined)
    ? (Object.fromEntries(lists) as Dialect['lists'])
    : undefined;
}

function parseList(own: unknown): ListDialect | undefined {
  const members = Object.entries(isFields(own) ? own : { '': own }).map(([key, member]) => {
    const part = listParts.find((one) => one === toCamelCase(key));
    return [part, part && dialectRules[part].parse(member)] as const;
  });
  const parts = new Map(members);
  const isValid = parts.size === members.length && members.every(([, member]) => member !== undefined);
  return isValid ? Object.fromEntries(parts) : undefined;
}

/** What has the fields that a server may have under other names. */
const records: Readonly<Record<string, Endpoint>> = {
  appointments: endpoints.getAppointment,
  clients: endpoints.getClient,
  payments: endpoints.getPayment,
  services: endpoints.getService,
  stylists: endpoints.getStylist,
};

/** The contract's fields of a record. The ID has a setting of its own, and a server may show a length by its end alone. */
export function fieldsOfRecord(plural: string): readonly string[] {
  const { properties = {} } = Object(Object.hasOwn(records, plural) ? records[plural]?.success.body : {});
  const fields = Object.keys(properties).filter((field) => field !== 'id');
  return plural === 'appointments' ? [...fields, 'end_time'] : fields;
}

function parseFields(value: unknown): Dialect['fields'] | undefined {
  const isValid = Object.entries(isFields(value) ? value : { '': value }).every(([plural, own]) => {
    const given = Object.entries(isFields(own) ? own : { '': own });
    const paths = given.flatMap(([field, path]) =>
      path === null ? [field] : (name.parse(path)?.split('+') ?? ['', '']),
    );
    return (
      given.every(([one]) => fieldsOfRecord(plural).includes(one)) && new Set(paths).size === paths.length
    );
  });
  return isValid ? (value as Dialect['fields']) : undefined;
}

export const dialectParts = Object.keys(dialectRules) as readonly (keyof Dialect)[];

/**
 * Parses the members of a dialect that a file or a profile has: `pageParameter` or `page_parameter`, and `extends` with
 * the name of a ready-made dialect. Throws `usage` with the path of the first invalid member.
 */
export function parseDialect(value: unknown): Partial<Dialect> {
  if (!isFields(value)) throw invalid('', 'must be a JSON object');
  const { extends: presetName, ...members } = value;
  if (presetName !== undefined && typeof presetName !== 'string') {
    throw invalid('extends', `must be one of ${presetNames.join(', ')}`);
  }
  const parsed = Object.entries(members).map(([key, member]) => [toPart(key), member, key] as const);
  const twice = parsed.find(([part], at) => parsed.findIndex(([other]) => other === part) < at);
  if (twice !== undefined) throw invalid(twice[2], `is given twice, also as ${toOtherCase(twice[2])}`);
  const own: Partial<Dialect> = Object.fromEntries(
    parsed.map(([part, member, key]) => [part, parsePart(part, member, key)]),
  );
  const preset: Partial<Dialect> = presetName === undefined ? {} : readPreset(presetName);
  const { lists = preset.lists, fields = preset.fields } = own;
  return {
    ...preset,
    ...own,
    ...(lists && { lists: joinResources(preset.lists, lists) }),
    ...(fields && { fields: joinResources(preset.fields, fields) }),
  };
}

/** What a ready-made dialect has for a resource stays, unless another one replaces that setting or field. */
function joinResources<Own extends object>(
  preset: Readonly<Record<string, Own>> = {},
  given: Readonly<Record<string, Own>> = {},
): Readonly<Record<string, Own>> {
  const own = Object.entries(given).map(([plural, parts]) => [plural, { ...preset[plural], ...parts }]);
  return { ...preset, ...Object.fromEntries(own) };
}

/** Parses one member. Throws `usage`, naming it `shownAs`. */
export function parsePart<Part extends keyof Dialect>(
  part: Part,
  value: unknown,
  shownAs: string = part,
): Dialect[Part] {
  const { parse, expected } = dialectRules[part];
  const parsed = parse(value);
  if (parsed !== undefined) return parsed as Dialect[Part];
  const wrong = findWrongMember(part, value);
  throw invalid(wrong === undefined ? shownAs : `${shownAs}.${wrong}`, `must be ${expected}`, value);
}

function toPart(key: string): keyof Dialect {
  const part = toCamelCase(key);
  if (Object.hasOwn(dialectRules, part)) return part as keyof Dialect;
  throw invalid(key, 'is not a setting of a dialect');
}

function toOtherCase(key: string): string {
  return key.includes('_') ? toCamelCase(key) : toSettingName(key);
}

function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The member of a map, or of a map in it, with which it becomes invalid. */
function findWrongMember(part: keyof Dialect, value: unknown): string | undefined {
  const isWrong = (one: unknown) => dialectRules[part].parse(one) === undefined;
  const key = findFirstWrong(value, isWrong);
  if (key === undefined || part !== 'fields') return key;
  const inner = findFirstWrong(Object(value)[key], (one) => isWrong({ [key]: one }));
  return inner === undefined ? key : `${key}.${inner}`;
}

function findFirstWrong(value: unknown, isWrong: (some: Fields) => boolean): string | undefined {
  const members = isFields(value) ? Object.entries(value) : [];
  const end = members.findIndex((_one, index) => isWrong(Object.fromEntries(members.slice(0, index + 1))));
  return members[end]?.[0];
}

function invalid(path: string, problem: string, value?: unknown): SalonError {
  const found = value === undefined ? '' : ` (found ${JSON.stringify(value).slice(0, 80)})`;
  const where = path === '' ? 'It' : `${JSON.stringify(path.slice(0, 80))}`;
  return new SalonError('usage', `The dialect is not valid. ${where} ${problem}${found}.`, {
    hint: 'The settings are described in docs/other-servers.md.',
  });
}

function text(pattern: RegExp, expected: string): Rule<string> {
  return {
    parse: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
    expected,
  };
}

function oneOf<const Value extends string>(values: readonly Value[]): Rule<Value> {
  return { parse: (value) => values.find((one) => one === value), expected: `one of ${values.join(', ')}` };
}

function wholeNumber(min: number, max: number): Rule<number> {
  const isValid = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return {
    parse: (value) => (isValid(value) ? Number(value) : undefined),
    expected: `a whole number from ${min} to ${max}`,
  };
}

function orNull<Value>({ parse, expected }: Rule<Value>): Rule<Value | null> {
  return { parse: (value) => (value === null ? null : parse(value)), expected: `${expected}, or null` };
}

function mapOf<Value extends string | null>(
  { parse, expected }: Rule<Value>,
  keys = /^[\w.-]{1,100}$/,
): Rule<Readonly<Record<string, Value>>> {
  return {
    parse(value) {
      if (!isFields(value)) return undefined;
      const isValid = Object.entries(value).every(([key, one]) => keys.test(key) && parse(one) !== undefined);
      return isValid ? (value as Fields as Readonly<Record<string, Value>>) : undefined;
    },
    expected: `an object whose values are ${expected}`,
  };
}
