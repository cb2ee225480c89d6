import type { Command } from 'commander';
import type { SalonClient } from '../../../client/client.ts';
import type { Fields } from '../../../client/json-object.ts';
import type { AuditEntry } from '../../../contract/audit.ts';
import { describeActor, describeChanges, describeRecord } from '../../../contract/describe-audit.ts';
import { SalonError } from '../../../contract/errors.ts';
import { kindOfId } from '../../../contract/identifiers.ts';
import { toNameKey } from '../../../text/search-text.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { readListQuery, withWantedNames } from '../../export/list-records.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { filterFlags, plainListFlags } from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { checkIfEmpty, type RecordPage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import { toEntriesForPeople } from './collapse-entries.ts';

const auditFlags = {
  client: { ...filterFlags.client, help: 'Only entries about a client: name, email, phone or ID' },
  record: { flag: '--record <id>', help: 'Only changes of a record, e.g. apt_01jd…' },
  by: { flag: '--by <who>', help: 'Only actions of a person, API key or app: name or ID' },
  action: {
    flag: '--action <a,b>',
    help: 'Only these actions, e.g. client.updated,api_key.*',
    complete: async () => {
      const { auditedResources } = await import('../../../contract/audit.ts');
      return auditedResources.map((resource) => `${resource}.*`);
    },
  },
  from: { flag: '--from <when>', help: 'At or after, e.g. today, -7d, 2026-11-21' },
  to: { flag: '--to <when>', help: 'Before; a date includes the whole day' },
  oldestFirst: { flag: '--oldest-first', help: 'Start with the oldest entry' },
  reads: { flag: '--reads', help: 'Include your own exports and other long reads in tables' },
  ...plainListFlags,
} as const satisfies FlagTable;

export function registerAudit(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: auditFlags,
    examples: {
      'salon audit --client Ana --from -7d': 'Show who changed what about Ana this week',
      'salon audit --action user.*,api_key.* --limit 20': 'Show the last sign-ins and key changes',
      'salon audit --oldest-first --from -30d -f ndjson -o audit.ndjson': 'Export the last 30 days',
    },
    handler: async () => listEntries,
  });
}

const listEntries: Handler<FlagValues<typeof auditFlags>> = async (context) => {
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
  const described = describe(pages);
  const shown = isName ? selectByName(described, by, flags.limit) : described;
  const checked = by === undefined ? shown : checkIfEmpty(shown, () => assertHasEntries(client, by));
  const hidesReads = flags.reads !== true && !action?.includes('.exported');
  const own = forPeople && hidesReads ? await readOwnIds(client) : [];
  const entries = forPeople ? toEntriesForPeople(checked, { own, say: context.messages.info }) : checked;
  const result = {
    show: 'records',
    noun: nouns.audit.many,
    columns: nouns.audit.columns,
    pages: await withWantedNames(entries, nouns.audit.columns, context),
    rateLimit: client.limits,
    ...(isCut ? {} : { report: pages.consistency }),
  } as const;
  return refuseUnknown(result, { ...people, [`${kindOfId(record ?? '')}_id`]: record }, context);
};

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
  const toRow = (row: Fields): Fields => ({
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
