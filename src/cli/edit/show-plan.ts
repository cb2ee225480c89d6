import { isFailed, type RowResult, readRowResults } from '../../bulk/apply/results.ts';
import type { AppliedEdit } from '../../bulk/bulk-edits.ts';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { journalPath } from '../../bulk/jobs/job-folder.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { countChanges, describeExisting, isShownBlank } from '../../bulk/plan/plan-format.ts';
import { type PlannedChange, readPreview } from '../../bulk/plan/plan-preview.ts';
import { toCellText } from '../../bulk/sheet/cell-text.ts';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import { jobsFolder } from '../folders.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { createInstantRenderer, renderAmount } from '../output/cell.ts';
import { toFieldWords } from '../output/field-words.ts';
import { readClock } from '../output/format.ts';
import { openQuietNames } from '../people/client-names.ts';
import { nameOfClient, readStylistsById, toText } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeCounts, type SelectionText } from './edit-result.ts';

/** Rows of each kind shown before the question. */
const maxShown = 10;
/** Characters shown of a value or name. */
const maxShownLength = 60;

/** Shows what a plan will do on standard error, with the first refused rows. */
export async function showSummary(plan: Plan, context: CommandContext, selected?: SelectionText) {
  const { messages } = context;
  const { clears, clearedRows, overwrites, refused, repairs = {}, kept = {} } = plan.counts;
  const { existing = 0, skipped = 0, repeated = 0, alike = 0 } = plan.counts;
  const repeats = Math.min(existing - alike, repeated);
  const preview = await readPreview(plan, { most: maxShown });
  messages.info(describeCounts(plan, selected));
  for (const [field, cells] of Object.entries(repairs)) {
    messages.info(
      `${field}: ${countOf(cells, 'cells')} damaged by a spreadsheet program; the current values stay.`,
    );
  }
  for (const [field, rows] of Object.entries(kept))
    messages.info(
      `${toFieldWords(field)}: ${countOf(rows, 'rows')} with another value than is saved, not taken. --overwrite takes it.`,
    );
  if (clears > 0)
    messages.warn(`${countOf(clears, 'fields')} will be cleared in ${countOf(clearedRows, 'rows')}.`);
  if (overwrites > 0) {
    const lines = [...preview.overwrites, ...(overwrites > maxShown ? ['…'] : [])].join(', ');
    const records = `${countOf(overwrites, 'records')} ${overwrites === 1 ? 'has' : 'have'}`;
    messages.warn(`${records} changed since the file was exported and will be overwritten: line ${lines}`);
  }
  for (const person of preview.existing) messages.warn(`line ${person.at}: ${describeExisting(person)}`);
  if (existing + skipped > maxShown) messages.warn(`${maxShown} of ${existing + skipped} shown.`);
  if (repeats > 0)
    messages.warn(
      `${countOf(repeats, 'rows')} for the client of an earlier row. To leave such rows out, add --skip-existing.`,
    );
  if (existing > alike + repeats) {
    messages.warn(
      `${countOf(existing - alike - repeats, 'clients')} may exist already. To leave them out, add --skip-existing; to change them instead, use "salon clients update --match email".`,
    );
  }
  if (alike > 0)
    messages.warn(`${countOf(alike, 'rows')} may repeat a client or an earlier row: check them.`);
  const records = [...preview.records, ...preview.refusals.map(({ record }) => record)];
  // Names cost requests, so there are none where no person reads them.
  const shown = context.flags.quiet === true ? [] : records.filter((record) => record !== undefined);
  const names = await readRowNames(shown, plan.head.edit, context);
  for (const { line, id, record, reason } of preview.refusals) {
    messages.warn(`${toPlace(plan, line) ?? names.who(record) ?? id}: ${reason}`);
  }
  if (refused > maxShown) messages.warn(`${countOf(refused - maxShown, 'more rows')} refused.`);
  return { preview, names };
}

/** `line 3`; undefined where flags selected the rows. */
function toPlace({ head }: Plan, line: number): string | undefined {
  return head.source.isCondition === true ? undefined : `line ${line}`;
}

/** Warns of the first rows that a run could not change, with the reasons. */
export async function showFailed({ id, plan, tally }: AppliedEdit, context: CommandContext): Promise<void> {
  const count = Math.min(tally.failed + tally.stale + tally.doubtful, maxShown);
  if (count === 0 || context.io.signal.aborted) return;
  const failed: RowResult[] = [];
  for await (const result of readRowResults(plan.rows(), journalPath(jobsFolder(context.io), id)))
    if (result.outcome !== undefined && isFailed(result) && failed.push(result) === count) break;
  const records = failed.map(({ planned }) => planned.before ?? planned.change ?? {});
  const names = await readRowNames(records, plan.head.edit, context);
  for (const [at, { planned, outcome }] of failed.entries()) {
    const place = toPlace(plan, planned.line) ?? names.who(records[at]) ?? planned.id;
    const { message = 'It has changed since the plan was made.' } = outcome?.error ?? {};
    context.messages.warn(`${place}: ${message}`);
  }
}

/** Shows the first changes, a line for each row. */
export async function showFirstChanges(
  plan: Plan,
  { preview, names }: Awaited<ReturnType<typeof showSummary>>,
  { flags, messages, salon, session, timeZone }: CommandContext<EditFlags>,
): Promise<void> {
  const toLocal = createInstantRenderer(await timeZone());
  const { currency: known } = (await session()).settings;
  const isPriced = preview.changes.flat().some(({ field }) => field === 'price');
  // A plan can be shown without the currency.
  const asked = isPriced && known === undefined ? await salon().catch(() => undefined) : undefined;
  const currency = known?.unusable ? undefined : (known?.value ?? asked?.currency);
  const toText = (field: string | null, value: unknown) => {
    const named = names.valueOf(field ?? '', value);
    if (isShownBlank(named)) return '(blank)';
    const isPrice = field === 'price' && typeof value === 'number' && typeof currency === 'string';
    const text = isPrice ? renderAmount(value, currency) : toLocal(toCellText(named));
    return `"${quote(text, maxShownLength)}"`;
  };
  const render = (changes: readonly PlannedChange[], who: string | undefined) => {
    const { act, id, name } = changes[0] ?? {};
    const known = who ?? (name === null || name === undefined ? id : quote(name, maxShownLength));
    if (act === 'delete') return `${known === id ? '' : `${known}, `}${id}`;
    const fields = changes.map(({ field, old, new: next, person }) => {
      const title = toFieldWords(field ?? '');
      const value = toText(field, person ?? next);
      return act === 'create' ? `${title} ${value}` : `${title} ${toText(field, old)} → ${value}`;
    });
    return `${known ?? 'new'}: ${fields.join(', ')}`;
  };
  for (const [index, row] of preview.changes.entries()) {
    const place = toPlace(plan, row[0]?.line ?? 0);
    const text = render(row, names.who(preview.records[index]));
    messages.info(`  ${place === undefined ? '' : `${place}: `}${text}`);
  }
  if (flags.dryRun === true) return;
  const more = countChanges(plan.counts) - maxShown;
  if (more > 0) messages.info(`  and ${renderCount(more)} more; --dry-run shows all`);
}

/** How the rows of a plan are called. */
export interface RowNames {
  /** `Ana Costa`, or `Ana Costa, Tue 24 Nov 10:00` for an appointment; undefined if there is no name. */
  who(record: Fields | undefined): string | undefined;
  /** The name of a person whose ID a field has; other values unchanged. */
  valueOf(field: string, value: unknown): unknown;
}

/** Reads the names that some rows need, with few requests. IDs stay where names cannot be read. */
export async function readRowNames(
  records: readonly Fields[],
  { noun }: Pick<EditOperation, 'noun'>,
  context: CommandContext,
): Promise<RowNames> {
  if (noun === 'clients' || records.length === 0) {
    return {
      who: (record) => quoteName(record === undefined ? '' : nameOfClient(record)),
      valueOf: (_, value) => value,
    };
  }
  await using clients = await openQuietNames(context);
  await clients.load(records.map((record) => toText(record['client_id']))).catch(keepIds);
  const stylists = await readStylistsById(context).catch(keepIds);
  const nameOf = (id: string) => clients.contactOf(id)?.name || stylists?.get(id);
  const style = await readClock(context);
  return {
    who(record) {
      const id = toText(record?.['client_id']);
      const start = toText(record?.['start_time']);
      const parts = [nameOf(id) || id, start === '' ? '' : renderShortTime(start, style)];
      return quoteName(parts.filter((part) => part !== '').join(', '));
    },
    valueOf: (field, value) => (field.endsWith('_id') ? nameOf(toText(value)) || value : value),
  };
}

/** A plan can be shown without names. */
function keepIds(thrown: unknown): undefined {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
}

function quoteName(name: string): string | undefined {
  return name === '' ? undefined : quote(name, maxShownLength);
}
