import { findBookingJobs, readJob } from '../../bulk/jobs/job-folder.ts';
import { readRows } from '../../client/pagination/paginate.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import type { Appointment } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { foldText } from '../../text/search-text.ts';
import { createZoneClock, dayMs, toUtcText } from '../../time/time.ts';
import { readJobRows } from '../calendar/call-list.ts';
import { editSelectedAppointments, type FoundAppointments } from '../edit/edit-selected.ts';
import type { followingFlag, visitFlags } from '../flags/booking-flags.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import type { FlagValues } from '../flags/flag.ts';
import { jobsFolder } from '../folders.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { toText } from '../people/names.ts';
import { type FoundAppointment, isOver, openAppointmentReader } from '../people/resolve-appointment.ts';
import { readAccountIdentity } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderCommand, renderLocalTime } from './booking-errors.ts';
import type { Booking } from './draft.ts';
import type { Move } from './read-draft.ts';

type Context = CommandContext<FlagValues<typeof followingFlag & typeof visitFlags> & EditFlags>;

/**
 * An appointment with the open ones that follow, if the flag or an answer says that they are included: those of the job
 * that booked it, if this machine knows it; at a terminal else those of the same client, service, stylist and time of the
 * week. Tells a script how many follow, and the command for the next. Throws `usage` for the flag where no job is known.
 */
export async function findFollowing(
  { id, record }: FoundAppointment,
  toCommand: (next: AppointmentFacts) => readonly string[],
  context: Context,
): Promise<(FoundAppointments & { readonly asks: boolean }) | undefined> {
  const { flags, prompts, messages } = context;
  const asks = prompts.isInteractive && flags.yes !== true && flags.dryRun !== true;
  const booked = await readBookedWith(id, context);
  if (booked === undefined && flags.following) {
    throw new SalonError('usage', `What follows ${id} is not known: no job on this machine has booked it.`);
  }
  if (booked === undefined && !asks) return undefined;
  const { appointments } = await context.client();
  const first = record ?? (await appointments.get(id));
  const reader = await openAppointmentReader(context);
  const { wall } = createZoneClock(await context.timeZone());
  const one = reader.read(first, ['client']);
  if (flags.following) reader.assertAny();
  if (one === undefined) return undefined;
  const toKey = ({ clientId, stylistId, service, startMs }: AppointmentFacts) =>
    [clientId, stylistId, foldText(service), wall(startMs) % (7 * dayMs)].join();
  const others = [...(booked?.values() ?? [])].map(({ change }) => toText(change?.['client_id']));
  const from = toUtcText(one.startMs);
  const found = new Map<string, { readonly row: Appointment; readonly visit: AppointmentFacts }>();
  for (const client_id of new Set([one.clientId, ...others])) {
    const list = appointments.list({ client_id, start_time_from: from, sort: 'start_time' });
    for (const row of await readRows(list)) {
      const visit = reader.read(row);
      if (visit === undefined || visit.id === id || visit.startMs < one.startMs || isOver({ ...row }))
        continue;
      if (booked?.has(visit.id) ?? toKey(visit) === toKey(one)) found.set(visit.id, { row, visit });
    }
  }
  const sorted = [...found.values()].toSorted((a, b) => a.visit.startMs - b.visit.startMs);
  const [next, last] = [sorted[0], sorted.at(-1)];
  const to = toUtcText(last?.visit.startMs ?? one.startMs);
  const rows = [first, ...sorted.map(({ row }) => row)].map((row) => ({ ...row }));
  const following = { rows, range: { from, to }, name: `${id} --following`, asks };
  if (flags.following) return following;
  if (next === undefined) return undefined;
  const count = countOf(sorted.length, 'appointments');
  if (asks) {
    const until = renderShortTime(to, await readClock(context));
    return (await prompts.confirm(`Also what follows (${count}, until ${until})?`)) ? following : undefined;
  }
  // A dry run has not moved the first.
  const command = renderCommand([...toCommand(flags.dryRun ? one : next.visit), '--following'], context);
  messages.info(`Booked with it, and follows: ${count}. To include: ${command}`);
  return undefined;
}

/** The rows of the job on this machine that has booked an appointment, by ID. */
async function readBookedWith(id: string, context: Context) {
  const root = jobsFolder(context.io);
  for await (const jobId of findBookingJobs(root, id)) {
    const job = await readJob(root, jobId).catch(() => undefined);
    const rows = await readJobRows(jobId, context).catch(() => undefined);
    if (job === undefined || rows?.has(id) !== true) continue;
    const { origin, account } = await readAccountIdentity(context);
    if (job.origin === origin && job.account === account) return rows;
  }
  return undefined;
}

/** Moves an appointment; if wanted, those that follow by the same local time, and to the stylist if they had the same. */
export async function moveFollowing(
  { appointment, before, after, one }: Move & { after: Booking; one(): Promise<CommandResult> },
  context: Context,
): Promise<CommandResult> {
  const timeZone = await context.timeZone();
  const { wall, earliest } = createZoneClock(timeZone);
  const shiftMs = wall(Date.parse(after.start)) - wall(Date.parse(before.start));
  const [from, to] = [before.stylist.id, after.stylist.id];
  const toCommand = ({ id, startMs, stylistId }: AppointmentFacts) => {
    const time = renderLocalTime(toUtcText(earliest(wall(startMs) + shiftMs)), timeZone);
    return ['move', id, time, ...(from !== to && stylistId === from ? ['--stylist', to] : [])];
  };
  const following = await findFollowing({ id: before.id, record: appointment }, toCommand, context);
  if (following === undefined) return one();
  const how = context.flags.onConflict ?? (following.asks ? 'skip' : 'stop');
  const onConflict = how === 'skip' ? 'skip' : 'refuse';
  const edit = { verb: 'update', set: after.fields, shiftMs, toStylist: { from, to }, onConflict } as const;
  return editSelectedAppointments(edit, context, following);
}
