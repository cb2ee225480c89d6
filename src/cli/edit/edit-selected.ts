import type { SelectedEdit } from '../../bulk/bulk-edits.ts';
import { readStatus } from '../../client/appointment-status.ts';
import type { Fields } from '../../client/json-object.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { isFinal, nextStatuses } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import type { ClientSelectionFlags } from '../flags/client-selection.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import { parseMoment, parseRange, type Range } from '../flags/moments.ts';
import {
  type AppointmentSelectionFlags,
  appointmentSelectionFlags,
  renderSelection,
} from '../flags/selection.ts';
import { parseList } from '../flags/values.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { resolveClient, resolveStylist } from '../people/resolve.ts';
import { isOver, isService, openAppointmentReader } from '../people/resolve-appointment.ts';
import { listSelectedClients, readClientSelection } from '../people/selected-clients.ts';
import type { CommandContext } from '../session/command-context.ts';
import { openBookingConflicts } from './booking-conflicts.ts';
import { runSelectedEdit } from './bulk-edit.ts';
import { changeEach, type EachAppointment } from './each-appointment.ts';
import { renderStatusUpdate, type SelectionText } from './edit-result.ts';

type Context = CommandContext<EditFlags & AppointmentSelectionFlags>;

type AppointmentEdit = Pick<SelectedEdit, 'verb' | 'reason' | 'onConflict'> & EachAppointment;

/** Appointments that are found already, instead of those that flags select. */
export interface FoundAppointments {
  /** By time. */
  readonly rows: readonly Fields[];
  readonly range: Range;
  /** Plans and jobs show it. */
  readonly name: string;
}

/** Changes or cancels the appointments that the flags select, but those with a conflict or a status against it. */
export async function editSelectedAppointments(
  { shiftMs = 0, toAnyone = false, toStylist, set = {}, ...edit }: AppointmentEdit,
  context: Context,
  found?: FoundAppointments,
): Promise<CommandResult> {
  const { flags, messages } = context;
  const selection = await readSelection(context);
  const { query, endsAfterMs } = selection;
  const range = found?.range ?? { from: query.start_time_from, to: query.start_time_to };
  const text = renderSelection(flags, appointmentSelectionFlags);
  const name = found?.name ?? (text === '' ? '--all' : text);
  const client = await context.client();
  const lengthMs = Date.parse(range.to ?? '') - Date.parse(range.from ?? '');
  // Each may move to where the next one has been. An appointment takes at most a day.
  const isLastFirst = shiftMs > 0 && !(lengthMs + dayMs < shiftMs);
  const listed: PagedList<object> = client.appointments.list({
    ...query,
    sort: isLastFirst ? '-start_time' : 'start_time',
  });
  const list = listed as PagedList<Fields>;
  const hasTime = range.from !== undefined || range.to !== undefined;
  const reader = hasTime ? await openAppointmentReader(context) : undefined;
  let isOther = false;
  const selected = { consistency: () => list.consistency(), [Symbol.asyncIterator]: readPages };
  const status = readStatus(set['status']);
  const isForGood = status !== undefined && isFinal(status);
  const undoable = '"salon appointments cancel" with the same flags can be undone: it books again.';
  const instead = status === 'cancelled' ? ` ${undoable}` : '';
  if (isForGood) messages.warn(`${status} is final: an undo cannot take it back.${instead}`);
  // Who is free then has no other appointment.
  const others = toStylist === undefined ? set : { stylist_id: '', ...set };
  const taken = toAnyone ? { set: {}, shiftMs: 0 } : { set: others, shiftMs };
  const isOfOne = found?.rows.every(({ stylist_id }) => stylist_id === toStylist?.from);
  const stylistId = isOfOne ? toStylist?.to : query.stylist_id;
  await using conflicts = openBookingConflicts({ ...taken, range, stylistId, context });
  const wanted = edit.verb === 'delete' ? 'cancelled' : status;
  const findRefusal: SelectedEdit['refuse'] = async (record, change) => {
    // Another server may allow what ours does not.
    const current = isOther ? undefined : readStatus(record['status']);
    const allowed = current && [current, ...nextStatuses(current, { isStarted: true })];
    if (!wanted || allowed?.includes(wanted) !== false) return conflicts.refuse(record, change);
    const reason = `The appointment is ${current} and cannot become ${wanted}.`;
    return { code: 'invalid_status_transition', reason };
  };
  const needs = endsAfterMs === undefined ? [] : (['duration'] as const);
  const watch = ['start_time', 'status', 'client_id', 'stylist_id', 'service', ...needs];
  const result = await runSelectedEdit(
    selected,
    {
      ...(shiftMs !== 0 && { onConflict: 'skip' }),
      ...edit,
      set,
      noun: 'appointments',
      selection: name,
      watch,
      refuse: findRefusal,
      onPlanned: conflicts.warnOfUnusual,
      ...((toAnyone || toStylist || shiftMs !== 0) && {
        each: changeEach({ shiftMs, toAnyone, toStylist, set }, context),
      }),
      ...(text !== '' && { selected: await describeSelected(context, selection) }),
    },
    context,
  );
  if (!isForGood || result.show !== 'record' || result.message === undefined) return result;
  return { ...result, message: result.message.replace(/\nUndo with: .*/, '') };

  function toPage(given: readonly Fields[]) {
    const rows = isLastFirst ? given.toReversed() : given;
    const version = client.isForeign ? undefined : 0;
    return { rows, page: 1, total: rows.length, version, resume: undefined };
  }

  /** Leaves out other services and, unless a status is given, appointments that are over. */
  async function* readPages() {
    const { whereService, whereStatus } = flags;
    let left = 0;
    for await (const page of found ? [toPage(found.rows)] : list) {
      if (page.version === undefined && page.rows.length > 0) {
        if (edit.verb === 'delete' && !isOther && !found)
          messages.warn(`If this server cannot cancel, use: ${renderStatusUpdate(name)}`);
        isOther = true;
      }
      // The list keeps rows that do not show when they start.
      const ofTime = page.rows.filter((row) => {
        const { startMs = 0, minutes = 0 } = reader?.read(row, needs) ?? {};
        return endsAfterMs === undefined || startMs + minutes * minuteMs > endsAfterMs;
      });
      const ofService = ofTime.filter((row) => whereService === undefined || isService(row, whereService));
      const rows = ofService.filter((row) => whereStatus !== undefined || !isOver(row));
      left += ofService.length - rows.length;
      yield { ...page, rows };
    }
    const fault = reader?.fault();
    if (fault !== undefined) throw fault;
    const are = `${countOf(left, 'appointments')} ${left === 1 ? 'is' : 'are'}`;
    if (left > 0) messages.info(`${are} over (completed, cancelled or no-show) and left out.`);
  }
}

async function readSelection(context: Context) {
  const { flags } = context;
  const { whereClient, whereStylist, whereStatus, whereOverlapping } = flags;
  const range = await readRange(context);
  const endsAfterMs = whereOverlapping === true ? Date.parse(range.from ?? '') : undefined;
  if (Number.isNaN(endsAfterMs)) {
    throw new SalonError('usage', '--where-overlapping needs --where-date or --where-from.');
  }
  // The longest appointment may have started a day before.
  const from = endsAfterMs === undefined ? range.from : toUtcText(endsAfterMs - dayMs);
  // A pipe needs the exact name, as every write does.
  const options = { isWrite: true };
  const client = whereClient === undefined ? undefined : await resolveClient(whereClient, context, options);
  const stylist =
    whereStylist === undefined ? undefined : await resolveStylist(whereStylist, context, options);
  const query = {
    ...(client === undefined ? {} : { client_id: client.id }),
    ...(stylist === undefined ? {} : { stylist_id: stylist.id }),
    ...(whereStatus === undefined ? {} : { status: parseList(whereStatus, '--where-status').join(',') }),
    ...(from === undefined ? {} : { start_time_from: from }),
    ...(range.to === undefined ? {} : { start_time_to: range.to }),
  };
  return { query, range, endsAfterMs, stylist, client };
}

/** `Mia has 3 pending appointments for Cut with Ana Costa tomorrow` */
async function describeSelected(
  context: Context,
  { range, stylist, client }: Awaited<ReturnType<typeof readSelection>>,
): Promise<SelectionText> {
  const { whereDate = '', whereService, whereStatus, whereOverlapping } = context.flags;
  const style = await readClock(context);
  const at = (time: string) => renderShortTime(time, style);
  const isSaid = /^(?:today|tomorrow|yesterday)$/.test(whereDate);
  const rest = [
    whereService && ` for ${whereService}`,
    stylist && client && ` with ${client.name}`,
    whereDate && (isSaid ? ` ${whereDate}` : ` on ${at(range.from ?? '').slice(0, -' 00:00'.length)}`),
    whereDate === '' && whereOverlapping && ' in the time',
    whereDate === '' && range.from && ` from ${at(range.from)}`,
    whereDate === '' && range.to && ` until ${at(range.to)}`,
  ];
  const states = whereStatus?.replaceAll('_', '-').replaceAll(',', ' or ');
  const who = (stylist ?? client)?.name;
  return (count) => {
    const subject = who === undefined ? `There ${count.startsWith('1 ') ? 'is' : 'are'}` : `${who} has`;
    const counted = states === undefined ? count : count.replace(' ', ` ${states} `);
    return `${subject} ${counted}${rest.filter(Boolean).join('')}`;
  };
}

async function readRange(context: Context): Promise<Range> {
  const { whereDate, whereFrom, whereTo } = context.flags;
  const clock = await readClock(context);
  if (whereDate === undefined) return parseRange({ from: whereFrom, to: whereTo }, clock);
  if (whereFrom !== undefined || whereTo !== undefined) {
    throw new SalonError('usage', '--where-date cannot be combined with --where-from and --where-to.');
  }
  const from = parseMoment(whereDate, { ...clock, edge: 'start' });
  const to = parseMoment(whereDate, { ...clock, edge: 'end' });
  if (from < to) return { from, to };
  throw new SalonError('usage', `--where-date needs a day, not "${whereDate}".`, {
    hint: 'For example tomorrow, fri or 2026-11-24.',
  });
}

/** The fields that a flag selects by. Who has changed since in one of them is skipped. */
const watchedBy: Readonly<Partial<Record<keyof ClientSelectionFlags, readonly string[]>>> = {
  search: ['first_name', 'last_name', 'email', 'phone'],
  email: ['email'],
  noEmail: ['email'],
  phone: ['phone'],
  noPhone: ['phone'],
  tag: ['tags'],
  withoutTag: ['tags'],
  birthdayWithin: ['birthday'],
  birthday: ['birthday'],
  emailConsent: ['email_marketing_consent'],
  smsConsent: ['sms_marketing_consent'],
};

/** Edits the clients that the flags select, or all of them. */
export async function editSelectedClients(
  edit: Pick<SelectedEdit, 'verb' | 'set' | 'addTags' | 'removeTags' | 'force'>,
  context: CommandContext<EditFlags & ClientSelectionFlags>,
): Promise<CommandResult> {
  const { flags } = context;
  const { query, conditions, text } = await readClientSelection(context);
  const client = await context.client();
  const wanted = text === '' ? ({ all: true } as const) : conditions;
  const selected = listSelectedClients(client, wanted, { query, provesVisits: true, context });
  const given = Object.keys(flags) as (keyof ClientSelectionFlags)[];
  const watch = [...new Set(given.flatMap((name) => watchedBy[name] ?? []))];
  return runSelectedEdit(
    selected,
    { ...edit, noun: 'clients', selection: text === '' ? '--all' : text, watch },
    context,
  );
}
