import type { Command } from 'commander';
import type { SalonClient } from '../../../client/client.ts';
import type { Fields } from '../../../client/json-object.ts';
import type { AuditEntry } from '../../../contract/audit.ts';
import { changedKinds } from '../../../contract/changes.ts';
import {
  describeAction,
  describeActor,
  describeChanges,
  describeRecord,
} from '../../../contract/describe-audit.ts';
import { SalonError } from '../../../contract/errors.ts';
import { cleanText } from '../../../text/clean-text.ts';
import { isSameJson } from '../../../text/json.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { printFlags } from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { createInstantRenderer } from '../../output/cell.ts';
import { type FeedEntry, onePage } from '../../output/command-result.ts';

const changesFlags = {
  follow: { flag: '--follow', help: 'Go on, and print changes as they happen' },
  ...printFlags,
} as const satisfies FlagTable;

export function registerChanges(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '[from...]': 'when to start, e.g. yesterday (default), "yesterday 18:00", 3h, 7d' },
    flags: changesFlags,
    examples: {
      'salon changes': 'Show what changed since yesterday, a line for each record',
      'salon changes 3h --follow': 'Show the last three hours, and go on until Ctrl+C',
    },
    handler: async () => showChanges,
  });
}

const action = Object.keys(changedKinds)
  .map((kind) => `${kind}.*`)
  .join();

const showChanges: Handler<FlagValues<typeof changesFlags>> = async (context, words) => {
  const text = words.join(' ') || 'yesterday';
  const moment = /^\d+[a-z]+$/.test(text) ? `-${text}` : text;
  const { query } = await readListQuery(context, { action, from: { moment, edge: 'start' } });
  if (Date.parse(query['from'] ?? '') > context.io.now().getTime()) {
    throw new SalonError('usage', `${text} is in the future.`, { hint: 'Use e.g. yesterday, 3h or a date.' });
  }
  if (!context.flags.follow) {
    const client = await context.client();
    const list = client.audit.list(query);
    const rows: AuditEntry[] = [];
    for await (const page of list) rows.push(...page.rows);
    const { columns } = nouns.audit;
    const pages = onePage(joinByRecord(rows));
    return { show: 'records', noun: 'changes', columns, pages, report: list.consistency };
  }
  const timeZone = await context.timeZone({ isShown: true });
  const client = await context.client();
  return { show: 'feed', entries: follow(client, { query, timeZone, signal: context.io.signal }) };
};

interface Following {
  readonly query: Parameters<SalonClient['audit']['list']>[0];
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** What changed since a time, and then what changes, a line for each record, until interrupted. */
async function* follow(
  client: SalonClient,
  { query, timeZone, signal }: Following,
): AsyncGenerator<FeedEntry> {
  const renderTime = createInstantRenderer(timeZone);
  let { position } = await client.changes();
  const rows: AuditEntry[] = [];
  for await (const page of client.audit.list(query)) rows.push(...page.rows);
  let seen = (rows.at(-1) ?? (await readBeyond(client)).at(-1))?.seq ?? 0;
  yield* joinByRecord(rows).map(toEntry);
  while (!signal.aborted) {
    const page = await client.changes({ after: position, wait: '20s', per_page: 200 }).catch((error) => {
      if (!signal.aborted) throw error;
    });
    if (page === undefined) return;
    position = page.position;
    if (page.data.length === 0) continue;
    const later = await readBeyond(client, seen);
    seen = later.at(-1)?.seq ?? seen;
    yield* joinByRecord(later).map(toEntry);
  }

  function toEntry(record: Fields): FeedEntry {
    const parts = [renderTime(String(record['created_at'])), describeAction(String(record['action']))];
    const facts = [record['record'], describeChanges(record, renderTime), `(${record['who']})`];
    return { record, line: cleanText([...parts, ...facts].filter(Boolean).join('  ')) };
  }
}

/** The entries behind a place in the log, oldest first, whatever their clock said; without a place, the last one. */
async function readBeyond({ audit }: SalonClient, seq?: number): Promise<AuditEntry[]> {
  const newest = { parameters: { sort: '-created_at' }, concurrency: 1 };
  const found: AuditEntry[] = [];
  for await (const { rows } of audit.list({ action }, seq === undefined ? { ...newest, limit: 1 } : newest)) {
    const beyond = rows.filter((row) => row.seq > (seq ?? 0));
    found.unshift(...beyond.toReversed());
    if (beyond.length < rows.length) break;
  }
  return found;
}

/** A row for each record that entries are about, the one that changed last at the end. */
function joinByRecord(entries: readonly AuditEntry[]): Fields[] {
  const changed = entries.filter((entry) => entry.record_id !== null && !entry.action.endsWith('.exported'));
  const groups = Map.groupBy(changed, ({ record_id }) => record_id).values();
  return [...groups]
    .flatMap((group) => group.slice(-1).map((last) => ({ group, last })))
    .toSorted((one, other) => one.last.seq - other.last.seq)
    .map(({ group, last }) => joinEntries(group, last));
}

/** All changes of a record as one: from what it was before the first to what it is after the last. */
function joinEntries(entries: readonly AuditEntry[], last: AuditEntry): Fields {
  const [before, after] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const entry of entries) {
    for (const [name, value] of Object.entries(entry.before ?? {}))
      if (!after.has(name)) before.set(name, value);
    for (const [name, value] of Object.entries(entry.after ?? {})) after.set(name, value);
  }
  for (const [name, value] of before) {
    if (isSameJson(value, after.get(name))) [before, after].forEach((side) => void side.delete(name));
  }
  const { created_at, resource, record_id, client_id, names } = last;
  const [first = last] = entries;
  const isNew = first.before === null && first.after !== null && last.after !== null;
  const joined = {
    ...{ created_at, action: isNew ? first.action : last.action, resource, record_id, client_id, names },
    before: isNew ? null : Object.fromEntries(before),
    after: last.after === null ? null : Object.fromEntries(after),
    erased: entries.some(({ erased }) => erased),
  };
  const who = [...new Set(entries.map(describeActor))].join(', ');
  return { ...joined, who, record: describeRecord(joined), changes: describeChanges(joined) };
}
