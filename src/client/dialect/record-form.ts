import { unescape as decode } from 'node:querystring';
import { isJsonNumber } from '../../text/json.ts';
import { type Fields, isFields, readPath } from '../json-object.ts';
import type { Dialect, ResourceDialect } from './dialect.ts';

type Shape = Pick<ResourceDialect, 'fieldsKey' | 'idKey' | 'map'>;

/** JSON:API's members of a resource object. */
const resourceMembers = ['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta'];

/** Where the fields of a record are: the configured member, or `attributes` if nothing but JSON:API surrounds it. */
export function findFieldsKey(record: Fields, { fieldsKey }: Pick<Shape, 'fieldsKey'>): string | null {
  if (fieldsKey !== null) return fieldsKey;
  if (!isFields(record['attributes']) || !('id' in record)) return null;
  return Object.keys(record).every((name) => resourceMembers.includes(name)) ? 'attributes' : null;
}

/** A record with its fields, under the contract's names, and its ID as members. Other members stay. */
export function toRow(record: Fields, shape: Shape): Fields {
  const row = toFlat(record, shape);
  return shape.map?.read(row) ?? row;
}

function toFlat(record: Fields, shape: Shape): Fields {
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

interface RecordBodyOptions {
  readonly dialect: Pick<
    ResourceDialect,
    'bodyFormat' | 'bodyKeys' | 'idempotencyField' | 'resources' | 'map'
  >;
  /** The contract's plural noun, such as `clients`. */
  readonly noun: string;
  /** The ID of the record that is changed; undefined for a new one. */
  readonly id: string | undefined;
  /** The idempotency key of a new record. */
  readonly key: string | undefined;
}

/** Writes the fields of a record in the form that the server expects; without a content type, in that of every request. */
export function toRecordBody(given: Fields, { dialect, noun, id, key }: RecordBodyOptions) {
  const { bodyFormat, bodyKeys, idempotencyField, resources, map } = dialect;
  const fields = map?.write(given) ?? given;
  const keyField = key === undefined || idempotencyField === null ? {} : { [idempotencyField]: key };
  if (bodyFormat === 'form') {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...fields, ...keyField })) append(form, name, value);
    return { text: form.toString(), contentType: 'application/x-www-form-urlencoded' };
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
function append(form: URLSearchParams, name: string, value: unknown): void {
  if (!Array.isArray(value) && !isFields(value)) {
    form.append(name, value === null ? '' : String(value));
    return;
  }
  const members = Object.entries(value);
  if (members.length === 0) form.append(name, '');
  for (const [key, member] of members) append(form, `${name}[${key}]`, member);
}

/**
 * The server's path below the prefix for a path of the contract: a list (`/clients`), a record (`/clients/:id`), or a
 * path below one, which keeps its form. It may end with a query, as PostgREST's `/clients?id=eq.1`.
 */
export function toServerPath(
  contractPath: string,
  dialect: Pick<Dialect, 'resources' | 'listPath' | 'itemPath'>,
  id = '',
): string {
  const [, noun = '', ...rest] = contractPath.split('/');
  const resource = Object.hasOwn(dialect.resources, noun) ? (dialect.resources[noun] ?? noun) : noun;
  let template = contractPath.replace(/^\/[^/]*/, '/{resource}').replace(':id', '{id}');
  if (rest.length === 0) template = dialect.listPath;
  else if (isItem(rest)) template = dialect.itemPath;
  return template
    .replaceAll('{resource}', resource)
    .replaceAll('{id}', () => encodeURIComponent(id))
    .replaceAll('{key}', () => encodeURIComponent(toODataLiteral(id)));
}

/** The ID in the address of a record, such as a `Location`; undefined if it is another address. */
export function parseItemPath(address: string, { itemPath }: Pick<Dialect, 'itemPath'>): string | undefined {
  const path = itemPath
    .replace(/\/$/, '')
    .replace('{resource}', '\0')
    .replace(/\{(?:id|key)\}/, '\x01');
  const pattern = RegExp.escape(path).replace('\0', '[^/?#]+').replace('\x01', "'?([^/?#]+?)'?");
  // Without a query in the form of its paths, a server may add one to its links.
  const end = itemPath.includes('?') ? '$' : '/?(?:[?#].*)?$';
  const id = new RegExp(pattern + end).exec(address)?.[1];
  return id === undefined ? undefined : decode(id);
}

/** Whether a path of the contract is that of one record, such as `/clients/:id`. */
export function isItemPath(contractPath: string): boolean {
  return isItem(contractPath.split('/').slice(2));
}

function isItem(rest: readonly string[]): boolean {
  return rest.length === 1 && rest[0] === ':id';
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A key or value as OData writes it: numbers and GUIDs bare, text in quotes. */
export function toODataLiteral(text: string): string {
  return /^-?\d+$/.test(text) || guid.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
