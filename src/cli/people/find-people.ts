import type { SalonClient } from '../../client/client.ts';
import type { Client } from '../../contract/client.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { nameOfClient, toNamedStylist, toText } from './names.ts';

/** Somebody who matches a reference. */
export interface FoundPerson<Record = object> {
  readonly id: string;
  readonly name: string;
  readonly record: Record;
  /** Whether the reference is the whole name, email address, phone number or ID. */
  readonly isExact: boolean;
}

/** Finds up to `limit` clients by name, email address or phone number. */
export async function findClients(
  client: SalonClient,
  reference: string,
  { limit }: { readonly limit: number },
): Promise<readonly FoundPerson<Client>[]> {
  const found: FoundPerson<Client>[] = [];
  for await (const { rows } of client.clients.list(reference === '' ? {} : { q: reference }, { limit })) {
    found.push(...rows.map((record) => toFoundClient(record, reference)));
  }
  return found.sort((a, b) => Number(b.isExact) - Number(a.isExact));
}

export async function findStylists(
  client: SalonClient,
  reference: string,
): Promise<readonly FoundPerson<Stylist>[]> {
  const found: FoundPerson<Stylist>[] = [];
  const wanted = fold(reference);
  for await (const { rows } of client.stylists.list({}, { searchesAppointments: false })) {
    for (const record of rows) {
      const { id, name } = toNamedStylist(record);
      const names = [id, name, toText(record.first_name), nameOfClient(record), toText(record.email)].map(
        fold,
      );
      const isExact = wanted !== '' && names.includes(wanted);
      if (isExact || names.some((text) => text.includes(wanted))) found.push({ id, name, record, isExact });
    }
  }
  return found.sort((a, b) => Number(b.isExact) - Number(a.isExact));
}

function toFoundClient(record: Client, reference: string): FoundPerson<Client> {
  const id = toText(record.id);
  const name = nameOfClient(record) || id;
  const wanted = fold(reference);
  const isExact =
    [id, name, toText(record.email)].map(fold).includes(wanted) ||
    (digitsOf(reference).length >= 7 && digitsOf(reference) === digitsOf(toText(record.phone)));
  return { id, name, record, isExact };
}

/** Without accents, case and repeated spaces. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
