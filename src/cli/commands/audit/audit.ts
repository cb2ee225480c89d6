import type { Command } from 'commander';
import type { Row } from '../../../bulk/export/write-pages.ts';
import type { SalonClient } from '../../../client/client.ts';
import type { AuditEntry } from '../../../contract/audit.ts';
import {
  describeActor,
  describeChanges,
  describeRecord,
  listChanges,
} from '../../../contract/describe-audit.ts';
import { SalonError } from '../../../contract/errors.ts';
import { kindOfId } from '../../../contract/identifiers.ts';
import { countOf } from '../../../contract/numbers.ts';
import { toNameKey } from '../../../contract/search-text.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery, withNames } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPlainListOptions, joinLists, type ListFlags } from '../../flags/options.ts';
import { parseCount } from '../../flags/values.ts';
import { auditColumns, findWantedNames } from '../../output/columns.ts';
import { type CommandResult, checkIfEmpty, type RecordPage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ListFlags {
  readonly client?: string;
  readonly record?: string;
  readonly by?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly oldestFirst?: boolean;
  readonly reads?: boolean;
}

export function registerAudit(command: Command, runner: ActionRunner): void {
  command
    .option('--client <who>', 'Only entries about a client: name, email, phone or ID')
    .option('--record <id>', 'Only changes of a record, e.g. apt_01jd…')
    .option('--by <who>', 'Only actions of a person, API key or app: name or ID')
    .option('--action <a,b>', 'Only these actions, e.g. client.updated,api_key.*', joinLists)
    .option('--from <when>', 'At or after, e.g. today, -7d, 2026-11-21')
    .option('--to <when>', 'Before; a date includes the whole day')
    .option('--oldest-first', 'Start with the oldest entry')
    .option('--reads', 'Include your own exports and other long reads in tables');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon audit --client Ana --from -7d', 'Show who changed what about Ana this week'],
    ['salon audit --action user.*,api_key.* --limit 20', 'Show the last sign-ins and key changes'],
    ['salon audit --oldest-first --from -30d -f ndjson -o audit.ndjson', 'Export the last 30 days'],
  ]);
  command.action(runner.action(listEntries));
}

async function listEntries(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags } = context;
  const { record, by, action } = flags;
  const { refuseUnknown, resolvePeople } = await import('../../people/resolve-filters.ts');
  const people = await resolvePeople(context);
  // Entries have the IDs of those who acted; a name is looked for in what was read.
  const isName = by !== undefined && kindOfId(by) === undefined;
  const { query, options } = await readListQuery(context, {
    ...{ client: people.client_id, record, actor: isName ? undefined : by, action },
    from: { moment: flags.from, edge: 'start' },
    to: { moment: flags.to, edge: 'end' },
  });
  const client = await context.client();
  const parameters = { ...(flags.oldestFirst ? {} : { sort: '-created_at' }), ...options.parameters };
  const forPeople = (await readLayout(context)) === 'table';
  // What people do not see does not count.
  const limit = isName || forPeople ? undefined : options.limit;
  const isCut = forPeople && flags.limit !== undefined;
  const pages = client.audit.list(query, {
    ...{ ...options, limit, parameters },
    concurrency: isCut ? 1 : undefined,
  });
  const names = findWantedNames(auditColumns, { requested: flags.columns, forPeople });
  const described = describe(pages);
  const shown = isName
    ? selectByName(described, by, flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit'))
    : described;
  const checked = by === undefined ? shown : checkIfEmpty(shown, () => assertHasEntries(client, by));
  const hidesReads = flags.reads !== true && !action?.includes('.exported');
  const own = forPeople && hidesReads ? await readOwnIds(client) : [];
  const entries = forPeople ? toEntriesForPeople(checked, { own, say: context.messages.info }) : checked;
  const result = {
    show: 'records',
    noun: 'entries',
    columns: auditColumns,
    pages: await withNames(entries, { columns: names, forPeople }, context),
    rateLimit: client.limits,
    ...(isCut ? {} : { report: pages.consistency }),
  } as const;
  return refuseUnknown(result, { ...people, [`${kindOfId(record ?? '')}_id`]: record }, context);
}

/** The caller's IDs in entries: a person, an API key or an app. */
async function readOwnIds(client: SalonClient): Promise<readonly unknown[]> {
  const { key, user, app } = await client.me();
  return [key?.id, user?.id, app?.id].filter((id) => id !== undefined);
}

/** Throws `not_found` if the whole log has no entry of a person, API key or app. */
async function assertHasEntries({ audit }: SalonClient, by: string): Promise<void> {
  const isName = kindOfId(by) === undefined;
  const newest = { parameters: { sort: '-created_at' } };
  const all = isName ? audit.list({}, newest) : audit.list({ actor: by }, { ...newest, limit: 1 });
  for await (const { rows } of isName ? selectByName(all, by) : all) {
    if (rows.length > 0) return;
  }
  throw new SalonError('not_found', `The audit log has no entries by "${by}".`, {
    hint: 'Use the full name or the ID of a person, API key or app, as "salon audit" shows it.',
    members: { resource: 'actor', id: by },
  });
}

async function* describe(
  pages: AsyncIterable<{ readonly rows: readonly AuditEntry[]; readonly total?: number | undefined }>,
): AsyncGenerator<RecordPage> {
  const toRow = (row: Row): Row => ({
    ...row,
    who: describeActor(row),
    record: describeRecord(row),
    changes: describeChanges(row),
  });
  for await (const page of pages) yield { ...page, rows: page.rows.map(toRow) };
}

/** The entries of a person, key or app with a name, ignoring accents and case. */
async function* selectByName(
  pages: AsyncIterable<RecordPage>,
  name: string,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<RecordPage> {
  const wanted = toNameKey(name);
  let left = limit;
  for await (const page of pages) {
    const rows = page.rows
      .filter(({ actor, via }) =>
        [actor, via].some((one) => toNameKey(String(Object(one).name ?? '')) === wanted),
      )
      .slice(0, left);
    left -= rows.length;
    yield { rows };
    if (left <= 0) return;
  }
}

/** This many changes of one kind that follow one another so closely are one line, with the first names. */
const maxApartMs = 10_000;
const fewestCollapsed = 5;
const namedRecords = 3;
const collapsible =
  /^(client|appointment|payment|stylist)\.(created|updated|deleted|cancelled|confirmed|rescheduled|completed|refunded)$/;

/** Entries as people read them: without the reads of `own`, who is asking, and with a line for changes of one kind. */
async function* toEntriesForPeople(
  pages: AsyncIterable<RecordPage>,
  { own, say }: { readonly own: readonly unknown[]; readonly say: (text: string) => void },
): AsyncGenerator<RecordPage> {
  let [hidden, collapsed, folded] = [0, 0, 0];
  // Of many equal changes only the first are kept.
  let run: { rows: Row[]; count: number; ids: Set<unknown>; fields: Set<string>; last: Row } | undefined;
  let shown: Row[] = [];
  let erasure: Row | undefined;
  const endRun = () => {
    const { rows = [], count = 0, ids = new Set(), fields = new Set() } = run ?? {};
    run = undefined;
    if (count < fewestCollapsed) return void shown.push(...rows);
    collapsed += 1;
    const [, resource = '', verb = ''] = collapsible.exec(String(rows[0]?.['action'])) ?? [];
    const action = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} ${countOf(ids.size, `${resource}s`)}`;
    const names = [...new Set(rows.map(({ record }) => record))].slice(0, namedRecords);
    const more = ids.size > names.length ? ` and ${ids.size - names.length} more` : '';
    const details = fields.size > 0 && { details: { fields: [...fields] } };
    const { created_at, who } = rows[0] ?? {};
    const line = { created_at, who, action, record: `${names.join(', ')}${more}`, ...details };
    shown.push({ ...line, changes: describeChanges(line) });
  };
  const add = (row: Row) => {
    if (run === undefined || !isSameEdit(run.last, row)) endRun();
    run ??= { rows: [], count: 0, ids: new Set(), fields: new Set(), last: row };
    run.count += 1;
    run.last = row;
    run.ids.add(row['record_id']);
    if (run.count < fewestCollapsed) run.rows.push(row);
    for (const { field, before: former } of listChanges(row)) if (former !== undefined) run.fields.add(field);
  };
  const addErasure = (next?: Row) => {
    const id = erasure?.['record_id'];
    const isPart = [run?.last, next].some(
      (row) => row?.['action'] === 'client.deleted' && row['record_id'] === id,
    );
    if (erasure !== undefined && isPart) folded += 1;
    else if (erasure !== undefined) add(erasure);
    erasure = undefined;
  };
  try {
    for await (const page of pages) {
      for (const row of page.rows) {
        const action = String(row['action']);
        addErasure(row);
        if (action.endsWith('.exported') && own.includes(Object(row['actor']).id)) hidden += 1;
        else if (action === 'audit_values.erased') erasure = row;
        else add(row);
      }
      yield { rows: shown };
      shown = [];
    }
    addErasure();
    endRun();
    yield { rows: shown };
  } finally {
    if (collapsed > 0) say('Changes of one kind in quick succession are one line; -f csv lists every entry.');
    if (folded > 0) say(`${countOf(folded, 'erasures')} with a deletion not shown; -f csv lists them.`);
    if (hidden > 0) say(`${countOf(hidden, 'reads')} of your own not shown; --reads shows them.`);
  }
}

function isSameEdit(one: Row, other: Row): boolean {
  const toKey = ({ action, actor, via }: Row) => JSON.stringify([action, actor, via]);
  const toMs = ({ created_at }: Row) => Date.parse(String(created_at));
  const isClose = Math.abs(toMs(one) - toMs(other)) <= maxApartMs;
  return isClose && collapsible.test(String(one['action'])) && toKey(one) === toKey(other);
}
