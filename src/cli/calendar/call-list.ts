import { readRowResults } from '../../bulk/apply/results.ts';
import { journalPath } from '../../bulk/jobs/job-folder.ts';
import { openJobPlan, readEditJob } from '../../bulk/plan/plan-file.ts';
import type { PlannedRow } from '../../bulk/plan/plan-format.ts';
import type { Fields } from '../../client/json-object.ts';
import { readRows, readWhole } from '../../client/pagination/paginate.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { countOf } from '../../text/numbers.ts';
import { dayMs, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import type { MomentContext } from '../flags/moments.ts';
import { jobsFolder } from '../folders.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { type ColumnSet, columnSet, contactColumns } from '../output/columns.ts';
import { onePage, type Records } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { printPartialError } from '../output/print-records.ts';
import { renderListSection, renderPage } from '../output/printed-page.ts';
import { addNames } from '../people/named-rows.ts';
import { readStylistsById, toText } from '../people/names.ts';
import { isOver, isService, openAppointmentReader } from '../people/resolve-appointment.ts';
import { type PeopleFilters, refuseUnknown } from '../people/resolve-filters.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Selects appointments that take time of the span; without a status, those that are not over. */
interface CallQuery extends TimeSpan {
  readonly people: PeopleFilters;
  readonly service?: string | undefined;
  readonly status?: string | undefined;
  /** Only the appointments with these IDs. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Only the appointments that a job changed. */
  readonly ofJob?: JobRows | undefined;
  /** Whether people read it: somebody without a phone has "no phone" then. */
  readonly forPeople: boolean;
}

export interface CallList extends Records {
  /** A row for each appointment. Those of one client follow each other, and have the same `call`. */
  readonly rows: readonly Fields[];
  /** How many calls, and who has no phone. */
  readonly total: string;
  readonly exitCode: number;
}

const callColumns: ColumnSet = {
  ...columnSet({
    ...{ call: 'integer', start_time: 'instant', client_name: 'text', client_phone: 'text' },
    ...{ client_email: 'text', service: 'text', stylist_name: 'text', client_consent: 'text' },
    ...{ status: 'status', id: 'text', client_id: 'text', stylist_id: 'text' },
  }),
  table: 'start_time client_name client_phone service stylist_name client_email client_consent'.split(' '),
  optional: ['client_email', 'client_consent'],
  names: { ...contactColumns, client_consent: 'client_id', stylist_name: 'stylist_id' },
};

type JobRows = ReadonlyMap<string, PlannedRow>;

/** The rows of a bulk edit that are done so far, by ID of the appointment. */
export async function readJobRows(id: string, { io }: CommandContext): Promise<JobRows> {
  const folder = jobsFolder(io);
  await readEditJob(folder, id);
  const plan = await openJobPlan(folder, id);
  const rows = new Map<string, PlannedRow>();
  for await (const { planned, outcome } of readRowResults(plan.rows(), journalPath(folder, id))) {
    const changed = outcome?.id ?? planned.id;
    if (changed !== null && ['done', 'accepted'].includes(outcome?.what ?? '')) rows.set(changed, planned);
  }
  return rows;
}

/** Whom to call, by the time of their first appointment. */
export async function readCalls(calls: CallQuery, context: CommandContext): Promise<CallList> {
  const { people, service, status, ids, ofJob, forPeople, startMs, endMs } = calls;
  const query = {
    ...people,
    ...(status === undefined ? {} : { status }),
    // The longest appointment may have started a day before.
    start_time_from: toUtcText(startMs - dayMs),
    ...(Number.isFinite(endMs) ? { start_time_to: toUtcText(endMs) } : {}),
  };
  const [client, reader] = [await context.client(), await openAppointmentReader(context)];
  const visits: AppointmentFacts[] = [];
  let over = 0;
  for await (const page of readWhole(client.appointments.list(query), 'appointments')) {
    for (const row of page.rows) {
      const visit = reader.read(row);
      if (visit === undefined || visit.startMs >= endMs || ofJob?.has(visit.id) === false) continue;
      if (ids?.has(visit.id) === false) continue;
      if (visit.startMs + (visit.minutes ?? 1) * minuteMs <= startMs) continue;
      if (service !== undefined && !isService({ ...row }, service)) continue;
      const { act, change = {} } = ofJob?.get(visit.id) ?? {};
      const isOfJob = act === 'delete' || isOver(change);
      if (status !== undefined || isOfJob || !isOver({ ...row })) visits.push(visit);
      else over += 1;
    }
  }
  reader.assertAny();
  const found = new Set(visits.map(({ id }) => id));
  const absent = [...(ids ?? [])].filter((id) => !found.has(id));
  if (absent.length > 0) {
    context.messages.warn(`Left out, because they are over or not found in this time: ${absent.join(', ')}`);
  }
  const fault = reader.fault();
  const exitCode = fault === undefined ? 0 : await printPartialError(fault, context);
  visits.sort((a, b) => a.startMs - b.startMs);
  const byClient = [...Map.groupBy(visits, ({ clientId, id }) => clientId || id).values()];
  const listed = byClient.flatMap((own, index) => own.map((visit) => toRow(visit, index + 1)));
  const list = { show: 'records', noun: 'appointments', columns: callColumns } as const;
  const { pages } = refuseUnknown({ ...list, pages: onePage(listed) }, query, context);
  const names = { columns: callColumns.names ?? {}, forPeople };
  const rows = await readRows(addNames(pages, names, context));
  if (ofJob !== undefined) await addFormer(rows, ofJob, context);
  // Undefined where clients cannot be read.
  const unreachable = rows.filter((row, at) => row['client_phone'] === null && isFirst(row, at, rows));
  const who = unreachable
    .slice(0, 10)
    .map((row) => `${row['client_name']} (${row['client_email'] ?? 'no email'})`);
  const named = `${who.join(', ')}${unreachable.length > who.length ? ', …' : ''}`;
  const parts = [
    `${countOf(byClient.length, 'calls')} for ${countOf(rows.length, 'appointments')}.`,
    ...(who.length > 0 ? [`${countOf(unreachable.length, 'clients')} without a phone: ${named}.`] : []),
    ...(over > 0 ? [`${countOf(over, 'appointments')} left out: over or cancelled.`] : []),
  ];
  if (forPeople)
    for (const row of rows.filter((one) => one['client_phone'] === null))
      Object.assign(row, { client_phone: 'no phone' });
  const columns = rows.some((row) => row['was']) ? movedColumns : callColumns;
  return { ...list, columns, pages: onePage(rows), rows, total: parts.join(' '), exitCode };
}

const movedColumns: ColumnSet = {
  ...callColumns,
  all: callColumns.all.toSpliced(2, 0, { key: 'was', kind: 'text' }),
  table: callColumns.table.toSpliced(1, 0, 'was'),
};

/** Adds when and with whom the moved ones were before: `Tue 8 Dec 09:45 with Ana`. */
async function addFormer(rows: readonly Fields[], ofJob: JobRows, context: CommandContext): Promise<void> {
  const [reader, clock] = [await openAppointmentReader(context), await readClock(context)];
  const stylists = await readStylistsById(context);
  for (const row of rows) {
    const { before, change = {} } = ofJob.get(toText(row['id'])) ?? {};
    const former = 'start_time' in change || 'stylist_id' in change ? reader.read(before) : undefined;
    if (former === undefined) continue;
    const time = renderShortTime(toUtcText(former.startMs), clock);
    const stylist = stylists.get(former.stylistId) ?? former.stylistId;
    Object.assign(row, { was: stylist === '' ? time : `${time} with ${stylist}` });
  }
}

function toRow(
  { startMs, service, status, id, clientId, stylistId }: AppointmentFacts,
  call: number,
): Fields {
  const start_time = toUtcText(startMs);
  return { call, start_time, service, status, id, client_id: clientId, stylist_id: stylistId };
}

function isFirst({ call }: Fields, at: number, rows: readonly Fields[]): boolean {
  return call !== rows[at - 1]?.['call'];
}

/** A page to print, with a box to tick and room for a note. */
export function renderCalls({ rows, total }: CallList, title: string, clock: MomentContext): string {
  const isMoved = rows.some((row) => row['was']);
  const was = isMoved ? ['Was'] : [];
  const heads = ['Called', 'Time', ...was, 'Client', 'Phone', 'Service', 'Stylist', 'Marketing', 'Notes'];
  const cells = rows.map((row, at) => {
    const { client_name: name = row['client_id'], stylist_name: stylist = row['stylist_id'] } = row;
    const phone =
      row['client_phone'] === 'no phone' ? `no phone ${toText(row['client_email'])}` : row['client_phone'];
    const time = renderShortTime(toText(row['start_time']), clock);
    const [box, ...who] = isFirst(row, at, rows) ? ['☐', name, phone] : ['', '', ''];
    const consent = box === '' ? '' : row['client_consent'];
    const former = isMoved ? [row['was']] : [];
    return [box, time, ...former, ...who, row['service'], stylist, consent, ''].map(toText);
  });
  const asOf = renderShortTime(clock.now.toISOString(), clock);
  const details = `${total} Times are in ${clock.timeZone}. As of ${asOf}.`;
  const section = renderListSection({ title, details, heads, rows: cells });
  return renderPage({ title, orientation: 'landscape', sections: [section], style: callStyle });
}

const callStyle = `td:first-child { font-size: 16pt; line-height: 1; }
td:nth-child(2) { white-space: nowrap; font-weight: bold; }
td:last-child { width: 18%; }
`;
