import { unescape as decode } from 'node:querystring';
import { isJsonNumber } from '../../contract/json.ts';
import { type Fields, isFields, readPath } from '../json-object.ts';
import type { Dialect } from './dialect.ts';

type Shape = Pick<Dialect, 'fieldsKey' | 'idKey'>;

/** JSON:API's members of a resource object. */
const resourceMembers: ReadonlySet<string> = new Set([
  'type',
  'id',
  'lid',
  'attributes',
  'relationships',
  'links',
  'meta',
]);

/** Where the fields of a record are: the configured member, or `attributes` if nothing but JSON:API surrounds it. */
export function findFieldsKey(record: Fields, { fieldsKey }: Pick<Shape, 'fieldsKey'>): string | null {
  if (fieldsKey !== null) return fieldsKey;
  if (!isFields(record['attributes']) || !('id' in record)) return null;
  return Object.keys(record).every((name) => resourceMembers.has(name)) ? 'attributes' : null;
}

/** A record with its fields and its ID as members. Other members stay. */
export function toRow(record: Fields, shape: Shape): Fields {
  const fieldsKey = findFieldsKey(record, shape);
  const inner = fieldsKey === null ? undefined : record[fieldsKey];
  if (fieldsKey === null || !isFields(inner)) return withId(record, shape);
  const { [fieldsKey]: _fields, ...rest } = record;
  return withId({ ...rest, ...inner }, shape);
}

/** HAL's link of a record to itself: Spring Data REST leaves the ID out. */
const selfLink = '_links.self.href';

function withId(record: Fields, { idKey }: Shape): Fields {
  if (idKey === 'id' && 'id' in record) return record;
  const id = readPath(record, idKey === 'id' ? selfLink : idKey);
  // In place of another one: Strapi 5 numbers its rows, too.
  const { id: _number, ...rest } = record;
  if (isJsonNumber(id)) return { id, ...rest };
  return typeof id === 'string' ? { id: toLastSegment(id), ...rest } : record;
}

function toLastSegment(id: string): string {
  const path = /^(?:https?:\/)?\//.test(id) ? id.split(/[?#]/)[0] : undefined;
  const segment = path?.replace(/\/+$/, '').split('/').at(-1);
  return segment === undefined ? id : decode(segment);
}

export interface RecordBodyOptions {
  readonly dialect: Pick<Dialect, 'bodyFormat' | 'bodyKeys' | 'idempotencyField' | 'resources'>;
  /** The contract's plural noun, such as `clients`. */
  readonly noun: string;
  /** The ID of the record that is changed; undefined for a new one. */
  readonly id: string | undefined;
  /** The idempotency key of a new record. */
  readonly key: string | undefined;
}

/** Writes the fields of a record in the form that the server expects; without a content type, in that of every request. */
export function toRecordBody(fields: Fields, { dialect, noun, id, key }: RecordBodyOptions) {
  const { bodyFormat, bodyKeys, idempotencyField, resources } = dialect;
  const keyField = key === undefined || idempotencyField === null ? {} : { [idempotencyField]: key };
  if (bodyFormat === 'form') {
    return { text: toForm({ ...fields, ...keyField }), contentType: 'application/x-www-form-urlencoded' };
  }
  if (bodyFormat === 'jsonapi') {
    const data = toResourceObject(fields, resources[noun] ?? noun, id);
    return { text: JSON.stringify({ data }), contentType: 'application/vnd.api+json' };
  }
  const wrapper = bodyKeys[noun];
  const body = wrapper === undefined ? fields : { [wrapper]: fields };
  return { text: JSON.stringify({ ...body, ...keyField }), contentType: undefined };
}

/** Members of a resource object that are no attributes: a row shows them beside its fields. */
const documentMembers: readonly string[] = ['id', 'type', 'links', 'meta', 'relationships'];

/** The fields of a record as far as a request of this form sends them. */
export function toSentFields(fields: Fields, { bodyFormat }: Pick<Dialect, 'bodyFormat'>): Fields {
  if (bodyFormat !== 'jsonapi') return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !documentMembers.includes(name)));
}

function toResourceObject(fields: Fields, type: string, id: string | undefined): Fields {
  const { relationships } = fields;
  return {
    type,
    ...(id === undefined ? {} : { id }),
    attributes: toSentFields(fields, { bodyFormat: 'jsonapi' }),
    ...(relationships === undefined ? {} : { relationships }),
  };
}

/** Fields as `name=value` and `name[key]=value`; an empty text is the form's way to clear a field. */
function toForm(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) append(form, name, value);
  return form.toString();
}

function append(form: URLSearchParams, name: string, value: unknown): void {
  if (!Array.isArray(value) && !isFields(value)) {
    form.append(name, value === null ? '' : String(value));
    return;
  }
  const members = Object.entries(value);
  if (members.length === 0) form.append(name, '');
  for (const [key, member] of members) append(form, `${name}[${key}]`, member);
}
