import { SalonError } from '../../contract/errors.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { assertDistinctFields, type MappingOptions, readMapping } from './map-columns.ts';
import { nameOrders } from './person-names.ts';

/** What a calendar does not say. */
export interface CalendarOptions {
  /** Series of a calendar are read from here on; by default from now on. */
  readonly now?: Date | undefined;
  /** IANA name of the zone of a calendar's times without one; UTC if left out. */
  readonly timeZone?: string | undefined;
  /** The stylist whose calendar it is, unless it says that; a name or an ID. */
  readonly stylist?: string | undefined;
  /** Reads the services of the salon, which events of a calendar name. */
  readonly readServices?: (() => Promise<readonly SalonService[] | undefined>) | undefined;
}

interface NamedOptions extends CalendarOptions, Pick<MappingOptions, 'mapping'> {
  readonly name: string;
  readonly knownFields?: readonly string[] | undefined;
}

/** The format of a text that has contacts or events, and no table. */
export function recordFormatOf(sample: string): 'vcard' | 'icalendar' | undefined {
  const [, kind] = /^\s*BEGIN:(VCARD|VCALENDAR)\s/i.exec(sample) ?? [];
  if (kind === undefined) return undefined;
  return kind.toUpperCase() === 'VCARD' ? 'vcard' : 'icalendar';
}

/** The columns of contacts or events, and what of them is no row. Throws `usage` for those of another noun. */
export async function detectRecords(
  path: string,
  { format, encoding }: SheetForm,
  options: NamedOptions,
): Promise<Pick<SheetForm, 'columns' | 'fields' | 'remarks' | 'calendar'>> {
  const { name, knownFields = [], now = new Date(), timeZone = 'UTC', stylist = '', readServices } = options;
  const [what, noun, field] =
    format === 'vcard' ? ['contacts', 'clients', 'first_name'] : ['events', 'appointments', 'start_time'];
  if (knownFields.length > 0 && !knownFields.includes(field)) {
    throw new SalonError('usage', `${name} has ${what}, which are ${noun}.`, {
      hint: `Use "salon ${noun} import".`,
    });
  }
  if (format === 'vcard') return (await import('./contact-cards.ts')).detectCards(path, encoding);
  const services = (await readServices?.())?.filter(({ active }) => active) ?? [];
  const { detectEvents } = await import('./calendar-events.ts');
  const found = await detectEvents(path, encoding, {
    ...{ from: now.toISOString(), timeZone, stylist },
    services: services.map((service) => service.name),
  });
  if (found.columns.length > 0 && !found.columns.includes('stylist_id')) {
    throw new SalonError('usage', `${name} does not say whose calendar it is.`, {
      hint: 'Add --stylist <name>.',
    });
  }
  return found;
}

/** The fields of contacts and events, whose columns have names of ours, except for those that are mapped. */
export function mapFields(
  { columns, fields }: SheetForm,
  { name, knownFields = [], mapping = [] }: NamedOptions,
): Pick<SheetForm, 'fields'> {
  const mapped = readMapping(columns ?? [], mapping, { name, known: knownFields });
  const all = (fields ?? []).map((field, index) => mapped.get(index) ?? field);
  // Cards have first and last names, or whole names.
  const distinct = all.filter((field) => field !== nameOrders[0]);
  if (mapped.size > 0) assertDistinctFields({ columns, fields: distinct }, name);
  return { fields: all };
}
