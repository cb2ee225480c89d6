import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { ServerNames } from './field-map.ts';

/** Returns the valid value of a member, or undefined. */
export interface Rule<Value> {
  readonly parse: (value: unknown) => Value | undefined;
  readonly expected: string;
}

const printable = /^[!-~]{1,100}$/;
const name = text(printable, 'a name without spaces');
const flag: Rule<boolean> = {
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
  expected: 'true or false',
};

const texts: Rule<readonly string[]> = {
  parse: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined,
  expected: 'an array of names',
};

const fieldNames: Rule<ServerNames['fields']> = {
  parse: parseFields,
  expected:
    'a field of the contract with its name on the server, which no other field has, as in {"clients": {"first_name": "given_name"}}',
};

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

function parseFields(value: unknown): ServerNames['fields'] | undefined {
  const isValid = Object.entries(isFields(value) ? value : { '': value }).every(([plural, own]) => {
    const given = Object.entries(isFields(own) ? own : { '': own });
    const paths = given.flatMap(([field, path]) =>
      path === null ? [field] : (name.parse(path)?.split('+') ?? ['', '']),
    );
    return (
      given.every(([one]) => fieldsOfRecord(plural).includes(one)) && new Set(paths).size === paths.length
    );
  });
  return isValid ? (value as ServerNames['fields']) : undefined;
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
  keys = /^[\w.*-]{1,100}$/,
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

/** What the settings of a dialect may be. */
export const rules = { fieldNames, flag, mapOf, name, oneOf, orNull, printable, text, texts, wholeNumber };
