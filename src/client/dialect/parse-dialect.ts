import { SalonError } from '../../contract/errors.ts';
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
  nextKey: orNull(name),
  rowsKey: orNull(name),
  totalKey: orNull(name),
  fieldsKey: orNull(name),
  idKey: name,
  lists: {
    parse: parseLists,
    expected: 'an object of lists, such as {"appointments": {"paging": "offset"}}',
  },
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
  return members.every(([, member]) => member !== undefined) ? Object.fromEntries(members) : undefined;
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
  return {
    ...(presetName === undefined ? {} : readPreset(presetName)),
    ...Object.fromEntries(parsed.map(([part, member, key]) => [part, parsePart(part, member, key)])),
  };
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

function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The member of a map that makes it invalid. */
function findWrongMember(part: keyof Dialect, value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  return Object.keys(value).find((key) => dialectRules[part].parse({ [key]: value[key] }) === undefined);
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

function orNull({ parse, expected }: Rule<string>): Rule<string | null> {
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
