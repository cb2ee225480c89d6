import { unescape as decode } from 'node:querystring';
import { isJsonNumber } from '../../contract/json.ts';
import { type Fields, isFields, readPath } from '../fields.ts';
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

/** A record with its fields and its ID as members of its own. Other members stay. */
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
