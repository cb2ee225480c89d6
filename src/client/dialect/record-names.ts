import { type AppointmentStatus, appointmentStatuses } from '../../contract/appointment.ts';
import { isJsonNumber } from '../../text/json.ts';
import { readStatus } from '../appointment-status.ts';
import { type Fields, isFields, simplifyName } from '../json-object.ts';
import type { ServerNames } from './field-map.ts';
import { fieldsOfRecord } from './setting-rules.ts';

const otherNames: Readonly<Record<string, readonly string[]>> = {
  birthday: ['birthdate', 'dateofbirth', 'dob'],
  client_id: ['customerid', 'client', 'customer'],
  email: ['emailaddress', 'mail'],
  first_name: ['givenname', 'forename'],
  last_name: ['familyname', 'surname'],
  phone: ['phonenumber', 'mobile', 'mobilephone', 'telephone'],
  start_time: ['startat', 'startsat', 'start', 'startdatetime', 'starton', 'begin'],
  end_time: ['endat', 'endsat', 'end', 'enddatetime', 'endon'],
  duration: ['durationminutes', 'durationmins', 'durationmin'],
  stylist_id: ['stylist', 'staffid', 'staff', 'employeeid', 'employee', 'providerid', 'teammemberid'],
  service: ['servicename'],
};

/** What servers call a field of the contract, without case and punctuation. */
export function namesOfField(field: string): readonly string[] {
  return [simplifyName(field), ...(otherNames[field] ?? [])];
}

/** The server's names for the fields of a resource that its rows have under another name than the contract. */
export function findFieldNames(plural: string, rows: readonly unknown[]): ServerNames['fields'][string] {
  const shown = Object.assign({}, ...rows.filter(isFields)) as Fields;
  const names = new Map(
    fieldsOfRecord(plural).flatMap((field) => {
      const path = findPath(field, shown);
      return path === undefined ? [] : [[field, path] as const];
    }),
  );
  const hasOwn = (field: string) => names.has(field) || Object.hasOwn(shown, field);
  if (plural !== 'appointments' || !hasOwn('end_time')) return Object.fromEntries(names);
  // Beside an end that is declared, the length is declared, too; without one it is shown by the end alone.
  const pair = ['end_time', ...(hasOwn('duration') ? ['duration'] : [])];
  const isPlain = pair.length === 2 && !names.has('end_time');
  for (const field of isPlain ? [] : pair) names.set(field, names.get(field) ?? field);
  return Object.fromEntries(names);
}

function findPath(field: string, shown: Fields): string | undefined {
  if (Object.hasOwn(shown, field)) return field === 'service' ? toNamedPath(field, shown, 'name') : undefined;
  const names = namesOfField(field);
  const name = Object.keys(shown).find((one) => names.includes(simplifyName(one)));
  if (name === undefined || !field.endsWith('_id')) return name;
  return toNamedPath(name, shown, 'id') ?? name;
}

/** The path into a record in the record. */
function toNamedPath(name: string, shown: Fields, member: string): string | undefined {
  const value = shown[name];
  return isFields(value) && member in value ? `${name}.${member}` : undefined;
}

/** The server's words for statuses where they differ; in capitals, too, where all that are shown are. */
export function findStatusWords(rows: readonly unknown[]): ServerNames['statuses'] {
  const words = new Map<string, AppointmentStatus>();
  for (const row of rows) {
    const word = isFields(row) ? row['status'] : undefined;
    const status = readStatus(word);
    if (status !== undefined) words.set(String(word), status);
  }
  const shown = [...words.keys()];
  const areCapitals = shown.length > 0 && shown.every((word) => word === word.toUpperCase());
  for (const status of areCapitals ? appointmentStatuses : [])
    if (![...words.values()].includes(status)) words.set(status.toUpperCase(), status);
  const isOwn = [...words].some(([word, status]) => word !== status);
  return isOwn ? Object.fromEntries(words) : {};
}

/** Whether a server numbers its records. */
export function hasNumericIds(rows: readonly unknown[], idKey = 'id'): boolean {
  return rows.some((row) => isFields(row) && isJsonNumber(row[idKey]));
}

/** The member with the ID of a record, where it is not `id`. */
export function findIdKey(plural: string, rows: readonly unknown[]): string {
  const all = rows.filter(isFields);
  const noun = simplifyName(plural).replace(/s$/, '');
  const names = all.some((row) => 'id' in row)
    ? ['documentid']
    : ['documentid', 'id', 'uuid', 'uid', 'guid', 'key', `${noun}id`];
  const keys = Object.keys(all[0] ?? {}).filter((key) => names.includes(simplifyName(key)));
  const isId = (key: string) => new Set(all.map((row) => row[key] ?? '')).size === all.length;
  return keys.find(isId) ?? 'id';
}
