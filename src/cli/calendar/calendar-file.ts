import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import { freesSlot, readStatus } from '../../client/appointment-status.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { cleanText } from '../../text/clean-text.ts';
import { statusWord } from '../output/field-words.ts';
import { describeBlock } from './away.ts';
import type { Calendar, CalendarEntry } from './calendar.ts';

/**
 * The appointments and blocked times as iCalendar (RFC 5545), with times in UTC. Each keeps its UID, and its SEQUENCE
 * rises with every change, so that a later import updates it. A cancelled appointment is STATUS:CANCELLED. `name` is what
 * a calendar program shows; the server's host is part of the UIDs of records whose IDs are not unique by themselves.
 */
export function renderCalendarFile(
  { entries, stylists, off = [], blocks = [] }: Pick<Calendar, 'entries' | 'stylists' | 'off' | 'blocks'>,
  { name, now, host }: { readonly name: string; readonly now: Date; readonly host: string },
): string {
  const calendar = ical({
    // ical-generator escapes all texts but this.
    name: cleanText(name).replaceAll(/[\\;,]/g, '\\$&'),
    prodId: { company: 'salon', product: 'salon', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const names = new Map([...stylists, ...off].map(({ id, name: stylist }) => [id, stylist]));
  for (const entry of entries) {
    const stylist = cleanText(names.get(entry.stylistId) ?? entry.stylistId);
    const { endMs, isOpenEnded, status } = entry;
    calendar.createEvent({
      ...toFrame(entry),
      ...(isOpenEnded === true ? {} : { end: new Date(endMs) }),
      summary: [`${cleanText(entry.client)}: ${cleanText(entry.service)}`, stylist]
        .filter(Boolean)
        .join(', '),
      description: toDescription(entry, stylist),
      categories: stylist === '' ? [] : [{ name: stylist }],
      status: toEventStatus(status),
      busystatus: freesSlot(status) ? ICalEventBusyStatus.FREE : ICalEventBusyStatus.BUSY,
    });
  }
  for (const block of blocks) {
    const stylist = block.stylistId === null ? 'Salon' : cleanText(names.get(block.stylistId) ?? '');
    if (stylist === '') continue;
    calendar.createEvent({
      ...toFrame(block),
      end: new Date(block.endMs),
      summary: `${stylist}: ${describeBlock(block)}`,
      categories: [{ name: stylist }],
      status: ICalEventStatus.CONFIRMED,
      busystatus: ICalEventBusyStatus.BUSY,
    });
  }
  const text =
    calendar.length() > 0 ? String(calendar) : String(calendar).replace(/END:VCALENDAR$/, `${zone}$&`);
  return `${text}\r\n`;

  function toFrame({ id, startMs, createdMs, updatedMs }: FileRecord) {
    return {
      id: `${id}@${kindOfId(id) === undefined ? host : 'salon'}`,
      start: new Date(startMs),
      stamp: now,
      ...(createdMs === undefined ? {} : { created: new Date(createdMs) }),
      ...(updatedMs === undefined ? {} : { lastModified: new Date(updatedMs) }),
      sequence: toSequence({ createdMs, updatedMs }),
    };
  }
}

type FileRecord = Pick<CalendarEntry, 'id' | 'startMs' | 'createdMs' | 'updatedMs'>;

/** RFC 5545 wants at least one component in a calendar; this one says nothing. */
const zone = `BEGIN:VTIMEZONE
TZID:Etc/UTC
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE
`.replaceAll('\n', '\r\n');

/** Seconds between creation and the last change. */
function toSequence({ createdMs, updatedMs }: Pick<FileRecord, 'createdMs' | 'updatedMs'>): number {
  if (createdMs === undefined || updatedMs === undefined) return 0;
  return Math.min(2_147_483_647, Math.max(0, Math.floor((updatedMs - createdMs) / 1000)));
}

function toDescription({ client, service, status }: CalendarEntry, stylist: string): string {
  return [
    `Client: ${cleanText(client)}`,
    `Service: ${cleanText(service)}`,
    `Stylist: ${stylist}`,
    `Status: ${statusWord(status)}`,
  ].join('\n');
}

function toEventStatus(status: string): ICalEventStatus {
  const known = readStatus(status);
  if (known === 'cancelled') return ICalEventStatus.CANCELLED;
  return known === 'pending' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}
