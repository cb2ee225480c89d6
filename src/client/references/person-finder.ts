import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, isIdentifier, kindOfId } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { mayBePhone, withoutPhoneSlashes } from '../../text/phone-forms.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { quote } from '../../text/quote.ts';
import type { SalonClient } from '../client.ts';
import { readRows, readWhole, takeFirst } from '../pagination/paginate.ts';
import { createMatches, type FindOptions, type FoundPerson } from './matches.ts';
import { idOnly, isExactly, type Person } from './person.ts';

/**
 * Finds people by ID, name with its words in any order, email address, phone number in any form, or a part of these.
 * Accents and case do not matter. If there is none, the list is empty. Throws `usage` for a reference that can be none.
 */
export type PersonFinder = ReturnType<typeof createPersonFinder>;

/** `readCountry` reads the ISO 3166 code of the country of national phone numbers. */
export function createPersonFinder(
  client: SalonClient,
  readCountry?: (() => Promise<string | undefined>) | undefined,
) {
  let phones: Promise<Phones> | undefined;
  let stylists: Promise<readonly unknown[]> | undefined;

  return {
    /** An ID of the contract costs no request, and its record is only the ID. An empty reference finds the first clients. */
    async findClients(reference: string, options: FindOptions = {}): Promise<readonly FoundPerson[]> {
      const text = parseReference(reference, 'client');
      if (kindOfId(text) === 'client') return [toFound(idOnly(text), text)];
      const matches = createMatches(text, options, {
        phones: mayBePhone(text) ? await readPhones() : undefined,
      });
      if (client.isForeign) {
        const { findForeignClients } = await import('./foreign-clients.ts');
        return findForeignClients(client, matches, options);
      }
      const parameters = text === '' ? {} : { q: text };
      const search = client.clients.list(undefined, { parameters, limit: pageSizes.max });
      const { rows = [], total = 0, resume, version } = (await takeFirst(search)) ?? {};
      matches.add(rows);
      // The document has no search.
      if (version === undefined)
        for await (const page of readWhole(client.clients.list(), 'clients')) matches.add(page.rows);
      else if (rows.length < total && matches.needsMore())
        for await (const page of client.clients.list(undefined, { parameters, from: resume }))
          matches.add(page.rows);
      return matches.found();
    },
    /** A first name alone is exact, too. */
    async findStylists(reference: string, options: FindOptions = {}): Promise<readonly FoundPerson[]> {
      const text = parseReference(reference, 'stylist');
      if (kindOfId(text) === 'stylist') return [toFound(idOnly(text), text)];
      const matches = createMatches(text, options, { isExactMatch: isStylistExactly });
      stylists ??= readRows(readWhole(client.stylists.list(), 'stylists'));
      // Without a list of stylists, their IDs can still be booked.
      const isMissing = (thrown: unknown) => thrown instanceof SalonError && thrown.code === 'not_supported';
      const records = await stylists.catch((thrown: unknown) => {
        if (!isMissing(thrown) || !/^[\w.:~-]+$/.test(text)) throw thrown;
        return [{ id: text }];
      });
      matches.add(records);
      return matches.found();
    },
    /** Compares phone numbers; loaded when first needed. */
    readPhones,
  };

  function readPhones(): Promise<Phones> {
    phones ??= openPhones();
    return phones;
  }

  async function openPhones(): Promise<Phones> {
    const { createPhones } = await import('../../text/phone-reader.ts');
    return createPhones(await readCountry?.());
  }
}

/** A stylist is known by the first name, too. */
function isStylistExactly(person: Person, reference: string): boolean {
  return isExactly({ ...person, names: [...person.names, person.firstName] }, reference);
}

function toFound(person: Person, reference: string): FoundPerson {
  return { ...person, isExact: person.id === reference };
}

/** Trims a reference. Throws `usage` for one that cannot be sent or is the ID of something else. */
function parseReference(reference: string, noun: 'client' | 'stylist'): string {
  const text = withoutPhoneSlashes(reference.trim());
  if (text !== '' && !isIdentifier(text)) {
    throw new SalonError('usage', `"${quote(text, 80)}" does not name a ${noun}.`, {
      hint: `Enter a name, email address, phone number or ID, without "/", "?", "#" and "%".`,
    });
  }
  const kind = kindOfId(text);
  if (kind === undefined || kind === noun) return text;
  throw new SalonError('usage', `${text} is the ID of ${nameKind(kind)}, not of a ${noun}.`, {
    hint: `Enter the name, email address, phone number or ID of a ${noun}.`,
  });
}

/** `a client`, `an API key` */
export function nameKind(kind: IdentifierKind): string {
  const noun = kind.replace('_', ' ').replace('api', 'API');
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}
