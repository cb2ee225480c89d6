import type { SalonClient } from '../../client/client.ts';
import { readRows, readWhole } from '../../client/pagination/paginate.ts';
import { readPerson } from '../../client/references/person.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { parseWeekHours, type WeekHours } from '../../time/week-hours.ts';
import type { CommandContext } from '../session/command-context.ts';

export interface NamedStylist {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Empty if the server does not say. */
  readonly services: readonly string[];
  /** Where the server has them, and they can be read. */
  readonly workingHours?: WeekHours | undefined;
  /** As the server writes them. */
  readonly writtenHours?: unknown;
}

/** Fields that may name a person; a server may send anything in them. */
export interface NameFields {
  readonly first_name?: unknown;
  readonly last_name?: unknown;
  readonly email?: unknown;
  readonly phone?: unknown;
  readonly sms_marketing_consent?: unknown;
  readonly email_marketing_consent?: unknown;
}

/** Shown for somebody who has no name. */
export const inWords = { deleted: '(deleted)', nameless: '(no name)' };

/** A client's full name, else their email address or phone number; empty if there is none. */
export function nameOfClient(record: NameFields): string {
  return fullName(record) || foreignName(record) || toText(record.email) || toText(record.phone);
}

/** How a client is called and reached, and what marketing they agreed to, in words. Texts are empty if there is none. */
export type ClientContact = ReturnType<typeof toContact>;

export function toContact(record: NameFields) {
  const isOwn = 'phone' in record && 'email' in record;
  const { phone, email } = isOwn ? record : { phone: '', email: '', ...readPerson({ ...record, id: '?' }) };
  const consent = describeConsent(record);
  return { name: nameOfClient(record), phone: toText(phone), email: toText(email), consent };
}

function describeConsent({ sms_marketing_consent: sms, email_marketing_consent: email }: NameFields): string {
  if (sms === undefined && email === undefined) return '';
  const given = [sms === true ? 'SMS' : '', email === true ? 'email' : ''].filter(Boolean);
  return given.join(' and ') || 'none';
}

/** The name in a record of another server, which may have other fields. */
function foreignName(record: object): string {
  return readPerson({ ...record, id: '?' })?.names[0] ?? '';
}

/** A string or number as text; empty for anything else a server may send. */
export function toText(value: unknown): string {
  return toIdText(value) ?? '';
}

const readByClient = new WeakMap<SalonClient, Promise<readonly NamedStylist[] | undefined>>();

/** Reads all stylists, once in a command; undefined if the server does not list them. */
export async function readStylistNames(
  client: SalonClient,
  explain: (text: string) => void,
): Promise<readonly NamedStylist[] | undefined> {
  const reading = readByClient.get(client) ?? readAllStylists(client, explain);
  readByClient.set(client, reading);
  try {
    return await reading;
  } catch (error) {
    readByClient.delete(client);
    throw error;
  }
}

export async function readStylistsById(context: CommandContext): Promise<ReadonlyMap<string, string>> {
  const stylists = await readStylistNames(await context.client(), context.messages.verbose);
  return new Map(stylists?.map(({ id, name }) => [id, name]));
}

async function readAllStylists(client: SalonClient, explain: (text: string) => void) {
  try {
    const list = client.stylists.list();
    return (await readRows(readWhole(list, 'stylists'))).map(toNamedStylist);
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    explain(`${thrown.message} Only stylists with appointments are known.`);
    return undefined;
  }
}

/** Finds stylists by ID, in the order given. Throws `not_found`. */
export function pickStylists(
  ids: readonly string[],
  known: readonly NamedStylist[] | undefined,
): readonly NamedStylist[] {
  return [...new Set(ids)].map((id) => {
    if (known === undefined) return { id, name: id, active: true, services: [] };
    const stylist = known.find((one) => one.id === id);
    if (stylist !== undefined) return stylist;
    throw new SalonError('not_found', `No stylist with ID ${id}.`, {
      hint: 'List all stylists: salon stylists list',
      members: { resource: 'stylist', id },
    });
  });
}

/** A stylist with their display name, else their full name, else their ID. */
export function toNamedStylist(record: Stylist): NamedStylist {
  const { id, display_name, active, ...others } = record;
  const { services, working_hours: writtenHours } = record as { services?: unknown; working_hours?: unknown };
  return {
    id: toText(id),
    name: toText(display_name) || fullName(others) || foreignName(others) || toText(id),
    active: active !== false,
    services: Array.isArray(services) ? services.map(toText).filter(Boolean) : [],
    workingHours: typeof writtenHours === 'string' ? parseWeekHours(writtenHours) : undefined,
    writtenHours,
  };
}

function fullName(record: NameFields): string {
  return [record.first_name, record.last_name].map(toText).filter(Boolean).join(' ');
}

/** The ID of the only stylist whose appointments the API key may read; undefined if it may read all. */
export async function readOwnStylist(client: SalonClient): Promise<string | undefined> {
  const me = await client.me().catch((thrown) => {
    if (!isUnavailable(thrown)) throw thrown;
  });
  return me?.stylist_id ?? undefined;
}

/** Throws `permission_denied` if the key may read no appointment of these stylists: they would merely look free. */
export async function assertReadable(client: SalonClient, stylistIds: readonly string[]): Promise<void> {
  const own = await readOwnStylist(client);
  if (own === undefined || stylistIds.includes(own)) return;
  throw new SalonError('permission_denied', "This API key can only see its own stylist's calendar.");
}
