import fc from 'fast-check';

/** As much of JSON Schema as the contract uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  /** Valid values, for members with rules between them. */
  readonly examples?: readonly object[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Valid values of members whose schema is too general; no values for a member to omit. */
export type Samples = Readonly<Record<string, readonly string[]>>;

/** Times that a schema accepts, including edge cases. */
export const instants = [
  '2026-11-21T09:00:00Z',
  '2031-02-03T09:00:00.125+01:00',
  '2026-11-21t09:00:00+23:59',
  '0000-01-01T23:00:00-14:00',
  '9999-12-31T09:59:59.999999999+00:00',
];

const hostileTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200b',
  "'; drop table clients; --",
  '%',
  '_%\\',
  '%00',
  '../..',
  '=1+1',
  'null',
  '-0',
  '1e400',
  '9'.repeat(400),
  'İstanbul ß ŉ',
  '👩‍👩‍👧‍👦'.repeat(60),
  'x'.repeat(5000),
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+14:00',
  '2026-02-30T00:00:00Z',
  '0000-00-00',
];

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

const anything = fc.oneof(hostileText, fc.jsonValue(), fc.integer(), fc.double(), fc.constant(null));

/** A valid value of an object schema, one with an invalid or extra member, or any other value. */
export function nearValid(schema: Schema, samples: Samples): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const members: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => samples[name]?.length !== 0)
      .map(([name, member]) => [name, toValid(member, samples[name])]),
  );
  const whole: fc.Arbitrary<object> = fc.record(members, { requiredKeys: [...required] });
  // Members that are not required may contradict each other, or the state of the service.
  const isRequired = ([member]: [string, unknown]) => required.includes(member);
  const short: fc.Arbitrary<object> = fc.record(
    Object.fromEntries(Object.entries(members).filter(isRequired)),
  );
  const made = fc.oneof(whole, short);
  const valid = schema.examples === undefined ? made : fc.oneof(made, fc.constantFrom(...schema.examples));
  const otherName = fc.oneof(hostileText, fc.constantFrom('__proto__', 'constructor', 'page[]'));
  const name = names.length === 0 ? otherName : fc.oneof(fc.constantFrom(...names), otherName);
  const spoilt = fc.tuple(valid, name, anything).map(([right, spoiltName, value]) => {
    return Object.fromEntries([...Object.entries(right), [spoiltName, value]]);
  });
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 4, arbitrary: spoilt },
    { weight: 1, arbitrary: anything },
  );
}

function toValid(schema: Schema, samples: readonly string[] | undefined): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined || samples !== undefined) {
    return fc.constantFrom(...(schema.enum ?? samples ?? []));
  }
  const [type, ...others] = [schema.type ?? 'null'].flat();
  const value = toTyped(type, schema);
  return others.includes('null') ? fc.option(value) : value;
}

function toTyped(type: string | undefined, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(toValid(schema.items ?? {}, undefined), { maxLength: 20 });
    case 'object':
      return toObject(schema);
    case 'string':
      return toText(schema.format);
    default:
      return anything;
  }
}

/** Without properties, any object is valid. */
function toObject({ properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(hostileText, fc.jsonValue(), { maxKeys: 5 });
  const members: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, toValid(member, undefined)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function toText(format: string | undefined): fc.Arbitrary<string> {
  switch (format) {
    case 'salon-birthday':
      return fc.constantFrom('2000-02-29', '0001-01-01', '1970-01-01', '--02-29');
    case 'date-time':
      return fc.constantFrom(...instants);
    case 'salon-email':
      return fc.emailAddress();
    case 'salon-phone':
      return fc.constantFrom('+44 20 7946 0018', '(030) 123-45.67', '1234567');
    case 'salon-hours':
      return fc.constantFrom('mon-fri 9-18, sat 9-14', 'Tue 9:30-13:00 14:00-18:00', 'mon-sun closed');
    default:
      return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  }
}
