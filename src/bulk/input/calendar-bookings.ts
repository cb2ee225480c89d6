import { foldText } from '../../text/search-text.ts';
import { type ContentLine, splitValue, toPlainText } from '../sheet/content-lines.ts';

const separators = /\s+[-–—/|·@]\s+|\s*[:|;]\s+|\s*\n\s*/;
const mailPattern = /[^\s<>()[\],;:"]+@[^\s<>()[\],;:"]+\.[^\s<>()[\],;:".]+/g;
const phonePattern = /(?:\+|\b0)\d[\d ()/.-]{5,}\d/g;

interface ServiceNames {
  readonly services: readonly string[];
  /** Whether summaries name the service before the client. */
  readonly isServiceFirst: boolean;
}

/** What an event says of whom and what is booked. Google marks up descriptions. */
export function readBooking(properties: readonly ContentLine[], { services, isServiceFirst }: ServiceNames) {
  const all = (wanted: string) => properties.filter(({ name }) => name === wanted);
  const text = (wanted: string) => toPlainText(all(wanted)[0]?.value ?? '');
  const notes = text('DESCRIPTION')
    .replace(/<br ?\/?>|<\/(?:p|div|li)>/gi, '\n')
    .replace(/<\/?[a-z][^>]{0,500}>/gi, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .trim();
  const known = new Map(services.map((service) => [foldText(service), service]));
  const owner = mailOf(all('ORGANIZER')[0]);
  const guests = all('ATTENDEE').filter(
    (one) => mailOf(one) !== owner && !/^(?:ROOM|RESOURCE)$/i.test(one.parameters.get('CUTYPE')?.[0] ?? ''),
  );
  const [guest] = guests.length === 1 ? guests : [];
  const summary = text('SUMMARY');
  const about = `${summary}\n${notes}`;
  const mail = mailOf(guest) ?? only(about.match(mailPattern), owner);
  const phone = only(about.match(phonePattern)?.filter((one) => one.replace(/\D/g, '').length >= 7));
  const parts = splitSummary(summary);
  const category = all('CATEGORIES')
    .flatMap(({ value }) => splitValue(value, ','))
    .find((one) => known.has(foldText(one)));
  let service = category ?? parts.find((part) => known.has(foldText(part)));
  let rest = parts.filter((part) => part !== service);
  if (service === undefined && parts.length === 1) {
    // `Cut Nia Costa`: a service begins or ends the summary.
    const folded = foldText(summary);
    const found = [...known.keys()].find((one) => folded.startsWith(`${one} `) || folded.endsWith(` ${one}`));
    if (found !== undefined && folded.length === summary.length) {
      service = known.get(found);
      rest = [folded.startsWith(`${found} `) ? summary.slice(found.length) : summary.slice(0, -found.length)];
    } else if (guest !== undefined || mail !== undefined || phone !== undefined)
      [service, rest] = [summary, []];
  } else if (service === undefined && parts.length > 1) {
    service = isServiceFirst ? parts[0] : parts.at(-1);
    rest = isServiceFirst ? parts.slice(1) : parts.slice(0, -1);
  }
  const name = rest.join(' ').trim() || (guest?.parameters.get('CN')?.[0] ?? '');
  const given = [mail, phone, name.includes('@') ? '' : name].map((one) => one ?? '');
  const texts = given.filter((one) => one !== '');
  return {
    client: texts.length > 1 ? given.join('\n') : texts.join(''),
    service: service ?? '',
    notes,
    summary,
  };
}

/** `Nia Costa` and `Cut` of `Nia Costa - Cut (0171 5550101)`. */
function splitSummary(summary: string): readonly string[] {
  return summary
    .replace(mailPattern, ' ')
    .replace(phonePattern, ' ')
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s+\(([^()]+)\)\s*$/, ' - $1')
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => /\p{L}/u.test(part));
}

/** Whether the service comes first in the summaries of two parts: it is known, or there are fewer of them than clients. */
export function createOrderFinder(services: readonly string[]) {
  const known = new Set(services.map(foldText));
  const values = [new Set<string>(), new Set<string>()] as const;
  const hits = [0, 0];
  return {
    add(summary: string) {
      const parts = splitSummary(summary).map(foldText);
      if (parts.length !== 2) return;
      for (const [index, part] of parts.entries()) {
        if (known.has(part)) hits[index] = (hits[index] ?? 0) + 1;
        const seen = values[index];
        if (seen !== undefined && seen.size < 10_000) seen.add(part);
      }
    },
    isServiceFirst(): boolean {
      const [first = 0, second = 0] = hits;
      return first === second ? values[0].size < values[1].size : first > second;
    },
  };
}

function mailOf(property: ContentLine | undefined): string | undefined {
  const mail = property?.value.replace(/^mailto:/i, '').toLowerCase();
  return mail?.includes('@') ? mail : undefined;
}

/** The one value that a text has, besides another. */
function only(found: readonly string[] | null | undefined, besides?: string): string | undefined {
  const [one, ...others] = new Set(
    (found ?? []).map((value) => value.trim().toLowerCase()).filter((value) => value !== besides),
  );
  return others.length === 0 ? one : undefined;
}
