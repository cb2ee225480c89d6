import ICAL from 'ical.js';
import { dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { type ContentLine, readContentLines, toPlainText } from '../sheet/content-lines.ts';
import {
  type CalendarForm,
  type Encoding,
  maxRowLength,
  toInvalidRow,
  toUnreadableRow,
  type UnnumberedRow,
} from '../sheet/sheet-form.ts';
import { createOrderFinder, readBooking } from './calendar-bookings.ts';
import { createSeriesReader } from './calendar-series.ts';
import { type CalendarTime, createCalendarZones } from './calendar-zones.ts';
import { createRemarks } from './remarks.ts';

const columns = ['client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes'];

/** Properties of events that are read; of the rules of zones, all are. */
const read = new Set([
  ...[
    'SUMMARY',
    'DESCRIPTION',
    'CATEGORIES',
    'ORGANIZER',
    'ATTENDEE',
    'STATUS',
    'UID',
    'RECURRENCE-ID',
    'SEQUENCE',
  ],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXDATE'],
]);

interface Component {
  readonly kind: string;
  readonly line: number;
  readonly properties: ContentLine[];
  length: number;
  problem: string | undefined;
  /** Whether the file ends within it. */
  isLast: boolean;
}

function createComponent(kind: string, line: number, properties: ContentLine[] = []): Component {
  return { kind, line, properties, length: 0, problem: undefined, isLast: false };
}

/** The parts of a calendar, and its name. What is within them, such as a reminder, is left out but for rules of zones. */
async function* readComponents(path: string, encoding: Encoding): AsyncGenerator<Component, void> {
  let calendar: Component | undefined;
  let open: Component | undefined;
  let depth = 0;
  for await (const properties of readContentLines(path, encoding))
    for (const property of properties) {
      const component = take(property);
      if (component !== undefined) yield component;
    }
  const last = open ?? calendar;
  if (last !== undefined) yield { ...cut(last), isLast: true };

  function cut(component: Component): Component {
    const { kind, line } = component;
    component.problem = `The ${kind} that begins on line ${line} does not end: END:${kind} is missing.`;
    return component;
  }

  function begin(kind: string, line: number): void {
    depth = 0;
    if (kind === 'VCALENDAR') calendar = createComponent(kind, line);
    else open = createComponent(kind, line);
  }

  function take(property: ContentLine): Component | undefined {
    const { name, line, value } = property;
    const isMark = name === 'BEGIN' || name === 'END';
    const kind = isMark ? value.trim().toUpperCase() : '';
    const component = open;
    if (name === 'END' && kind === 'VCALENDAR') calendar = undefined;
    if (component === undefined) {
      if (name === 'BEGIN') begin(kind, line);
      return name === 'X-WR-CALNAME' ? createComponent(name, line, [property]) : undefined;
    }
    if (name === 'BEGIN' && kind === component.kind) {
      begin(kind, line);
      return cut(component);
    }
    if (name === 'END' && (kind === component.kind || kind === 'VCALENDAR')) {
      open = undefined;
      return kind === component.kind ? component : cut(component);
    }
    const isZone = component.kind === 'VTIMEZONE';
    const isWithin = depth > 0;
    if (isMark) depth += name === 'BEGIN' ? 1 : -1;
    if (name === '') component.problem ??= `Line ${line} is no property of an event, such as SUMMARY:….`;
    if (!isZone && (isWithin || component.kind !== 'VEVENT' || !read.has(name))) return undefined;
    component.length += value.length + 64;
    if (component.length > maxRowLength || property.isLong)
      component.problem ??= `The event that begins on line ${component.line} is longer than 1 MiB.`;
    else component.properties.push(property);
    return undefined;
  }
}

/** Reads the appointments of a calendar: twice, as zones, and what is moved or cancelled, may follow the series they are of. */
export async function* readEvents(
  path: string,
  { encoding, calendar }: { readonly encoding: Encoding; readonly calendar: CalendarForm },
  remarks = createRemarks(),
): AsyncGenerator<UnnumberedRow, void> {
  const { from, timeZone, stylist } = calendar;
  const fromMs = Date.parse(from);
  const untilMs = Date.parse(toNextYear(from));
  const zones = createCalendarZones(timeZone);
  const readSeries = createSeriesReader(fromMs, untilMs);
  const order = createOrderFinder(calendar.services);
  /** The latest versions of events, which may be there several times. */
  const versions = new Map<string, number>();
  const occurrences: { uid: string; id: ContentLine }[] = [];
  let calendarName = '';
  for await (const { kind, properties } of readComponents(path, encoding)) {
    if (kind === 'VTIMEZONE') zones.add(properties);
    if (kind === 'X-WR-CALNAME') calendarName = toPlainText(properties[0]?.value ?? '');
    if (kind !== 'VEVENT') continue;
    order.add(toPlainText(find(properties, 'SUMMARY')?.value ?? ''));
    const { key, version } = toVersion(properties);
    if (version > 0) versions.set(key, Math.max(version, versions.get(key) ?? 0));
    const id = find(properties, 'RECURRENCE-ID');
    if (id !== undefined) occurrences.push({ uid: find(properties, 'UID')?.value ?? '', id });
  }
  const named = { services: calendar.services, isServiceFirst: order.isServiceFirst() };
  /** Instants that series do not have: those of occurrences that are moved or cancelled. */
  const moved = new Map<string, Set<number>>();
  /** When series become others. */
  const ends = new Map<string, number>();
  for (const { uid, id } of occurrences) {
    const ms = zones.read(id)?.ms;
    if (ms === undefined) continue;
    moved.set(uid, (moved.get(uid) ?? new Set()).add(ms));
    if (id.parameters.has('RANGE')) ends.set(uid, Math.min(ms, ends.get(uid) ?? ms));
  }
  for await (const component of readComponents(path, encoding)) {
    if (component.problem !== undefined)
      yield (component.isLast ? toUnreadableRow : toInvalidRow)(component.line, component.problem);
    else if (component.kind === 'VEVENT') yield* toRows(component);
    else if (!['VTIMEZONE', 'X-WR-CALNAME'].includes(component.kind))
      remarks.note('entries', ' besides events left out', component.kind);
  }

  function* toRows({ line, properties }: Component): Generator<UnnumberedRow, void> {
    const booking = readBooking(properties, named);
    const leaveOut = (noun: string, what = ' left out') =>
      remarks.note(noun, what, `${booking.summary || 'no title'} (line ${line})`);
    const { key, version } = toVersion(properties);
    if (version < (versions.get(key) ?? 0)) return leaveOut('earlier versions', ' of events left out');
    const startProperty = find(properties, 'DTSTART');
    const start = startProperty && zones.read(startProperty);
    const status = find(properties, 'STATUS')?.value.trim().toUpperCase();
    if (status === 'CANCELLED') return leaveOut('cancelled events');
    if (startProperty === undefined || start === undefined)
      return yield toInvalidRow(line, `The event that begins on line ${line} has no start: DTSTART.`);
    if (start.isDay) return leaveOut('all-day events');
    if (start.zone === undefined) {
      const zone = JSON.stringify(startProperty.parameters.get('TZID')?.[0] ?? '');
      return yield toInvalidRow(
        line,
        `Zone ${zone} is not known: write the name of one, such as Europe/Berlin.`,
      );
    }
    const duration = readDuration(properties, start);
    if (duration > dayMs) return leaveOut('events', ' longer than a day left out');
    const cells = {
      client_id: booking.client,
      stylist_id: stylist || calendarName || (find(properties, 'ORGANIZER')?.parameters.get('CN')?.[0] ?? ''),
      service: booking.service,
      duration: duration > 0 ? String(duration / minuteMs) : '',
      status: status === 'TENTATIVE' ? 'pending' : '',
      notes: booking.notes,
    };
    const rules = properties.filter(({ name }) => name === 'RRULE');
    const uid = find(properties, 'UID')?.value ?? '';
    const id = find(properties, 'RECURRENCE-ID');
    const dates = properties.filter(({ name }) => name === 'RDATE').flatMap(readTimes);
    if (id?.parameters.has('RANGE'))
      return yield toInvalidRow(
        line,
        'The event moves all later ones of a series, too, which is not read: book them by hand.',
        cells,
      );
    if (id !== undefined && (start.ms ?? 0) < fromMs)
      return leaveOut('moved events', ' of the past left out');
    if (rules.length === 0 && dates.length === 0) return yield* toRow(start.ms);
    const wallTimes: number[] = [];
    const toUntil = (value: string) => zones.read({ value, parameters: startProperty.parameters });
    for (const { value } of rules) {
      const found = readSeries(value, start, toUntil);
      if (typeof found === 'string') return yield toInvalidRow(line, found, cells);
      wallTimes.push(...found);
    }
    const without = new Set([...(moved.get(uid) ?? []), ...exceptions()]);
    const found = [...wallTimes.map((wallMs) => start.zone?.(wallMs)), ...dates.map(({ ms }) => ms)];
    const future =
      dates.length === 0 ? found : found.filter((ms) => ms === undefined || (ms >= fromMs && ms < untilMs));
    const endMs = ends.get(uid) ?? untilMs;
    const left = [...new Set(future)].filter((ms) => ms === undefined || (ms < endMs && !without.has(ms)));
    leaveOut('repeated events', ` taken from ${from.slice(0, 10)} to ${toNextYear(from).slice(0, 10)} only`);
    for (const ms of left) yield* toRow(ms);

    function* toRow(ms: number | undefined): Generator<UnnumberedRow, void> {
      if (ms === undefined)
        yield toInvalidRow(line, 'The event begins at a time that clocks skip as they go forward.', cells);
      else {
        const booked = { ...cells, start_time: toUtcText(ms) };
        const title = booking.summary === '' ? '' : `: ${JSON.stringify(booking.summary)}`;
        yield booking.client === ''
          ? toInvalidRow(line, `No client named${title}.`, booked)
          : { line, cells: booked };
      }
    }

    function exceptions(): readonly number[] {
      const times = properties.filter(({ name }) => name === 'EXDATE').flatMap(readTimes);
      // Some programs leave out the time.
      const days = new Set(times.filter(({ isDay }) => isDay).map(({ wallMs }) => wallMs));
      const whole = wallTimes.filter((ms) => days.has(ms - (ms % dayMs))).map((ms) => start?.zone?.(ms));
      return [...times.map(({ ms }) => ms), ...whole].filter((ms) => ms !== undefined);
    }
  }

  function readTimes({ value, parameters }: ContentLine): readonly CalendarTime[] {
    return value
      .split(',')
      .flatMap((text) => zones.read({ value: text.split('/')[0] ?? '', parameters }) ?? []);
  }

  function readDuration(properties: readonly ContentLine[], start: CalendarTime): number {
    const end = find(properties, 'DTEND');
    const endMs = end && zones.read(end)?.ms;
    if (endMs !== undefined && start.ms !== undefined) return endMs - start.ms;
    const text = find(properties, 'DURATION')?.value.trim() ?? '';
    return ICAL.Duration.isValueString(text) ? ICAL.Duration.fromString(text).toSeconds() * 1_000 : 0;
  }
}

/** The columns of a calendar, how its events are read, and what of them is left out. */
export async function detectEvents(path: string, encoding: Encoding, calendar: CalendarForm) {
  const remarks = createRemarks();
  const used = new Set<string>();
  for await (const { cells } of readEvents(path, { encoding, calendar }, remarks))
    for (const [field, cell] of Object.entries(cells)) if (cell !== '') used.add(field);
  const taken = columns.filter((field) => used.has(field));
  return { columns: taken, fields: taken, calendar, remarks: remarks.sentences() };
}

function find(properties: readonly ContentLine[], wanted: string): ContentLine | undefined {
  return properties.find(({ name }) => name === wanted);
}

function toVersion(properties: readonly ContentLine[]) {
  const [uid = '', id = '', sequence] = ['UID', 'RECURRENCE-ID', 'SEQUENCE'].map(
    (name) => find(properties, name)?.value,
  );
  return { key: `${uid} ${id}`, version: uid === '' ? 0 : Number(sequence ?? 0) };
}

function toNextYear(instant: string): string {
  return `${Number(instant.slice(0, 4)) + 1}${instant.slice(4)}`.replace('-02-29', '-02-28');
}
