import { createJobId } from '../../bulk/jobs/job-folder.ts';
import { planMerge } from '../../bulk/merge/plan-merge.ts';
import type { Fields } from '../../client/json-object.ts';
import { readPerson } from '../../client/references/person.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseAssignments } from '../flags/fields.ts';
import { jobsFolder } from '../folders.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readMessageStyle } from '../output/format.ts';
import { readStylistsById } from '../people/names.ts';
import { describeCandidates, type NamedPerson, pickClient, resolveClient } from '../people/resolve.ts';
import { readAccountIdentity } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertWritable } from '../session/confirmation.ts';
import { startMerge } from './merge-jobs.ts';
import { describeMerge, findDiffering, type MergeNames, stylistField } from './show-merge.ts';

export interface MergeFlags {
  readonly prefer?: readonly string[];
  readonly set?: readonly string[];
  readonly dryRun?: boolean;
}

/** Shows how two clients become one, asks, and merges them as a job. */
export async function mergeAsJob(
  context: CommandContext<MergeFlags>,
  [kept, other]: readonly [kept: string | undefined, other: string | undefined],
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  if (flags.curl) {
    throw new SalonError('usage', '--curl is for single changes, not for merges.', {
      hint: 'Use --dry-run to see what would change.',
    });
  }
  const choices = { prefer: flags.prefer ?? [], set: parseAssignments(flags.set ?? [], undefined) };
  const { id: intoId, name } = await findClient(kept, context, {
    question: kept === undefined ? 'Which client stays?' : `Which "${kept}" stays?`,
  });
  const { id: fromId } = await findClient(other, context, {
    question:
      other === undefined
        ? `Which client is the duplicate of ${name}?`
        : `Which "${other}" is the duplicate?`,
    except: intoId,
  });
  if (intoId === fromId) {
    throw new SalonError('usage', `"${kept ?? intoId}" and "${other ?? fromId}" are the same client.`, {
      hint: 'Name two clients. List likely duplicates with: salon clients duplicates',
    });
  }
  const client = await context.client();
  const [into, from] = [await client.clients.getTagged(intoId), await client.clients.getTagged(fromId)];
  const names = toNames(into.record, from.record);
  const planned = await planMerge(client, { into, from, choices }).catch((thrown: unknown) => {
    throw withoutServerPointers(thrown);
  });
  const people = [into, from].flatMap(({ record }) => readPerson(record) ?? []);
  const [aboutInto = '', aboutFrom = ''] = await describeCandidates(people, context, 'client');
  const about = { into: aboutInto, from: aboutFrom };
  const style = { ...(await readMessageStyle(context)), about };
  const needsStylists = findDiffering(planned.fields).some(({ field }) => field === stylistField);
  const stylists = needsStylists ? await readStylistsById(context) : new Map<string, string>();
  messages.info(describeMerge(planned, names, { ...style, stylists }));
  if (flags.dryRun) {
    assertWritable(await context.session());
    messages.info('Dry run: the server would accept this. Nothing was changed.');
    const rows = findDiffering(planned.fields).map((row) => ({ ...row }));
    return { show: 'records', noun: 'fields', columns, pages: onePage(rows) };
  }
  await context.confirm(`Merge ${names.from} into ${names.into} now?`);
  const { plan } = planned;
  const id = createJobId(io.now(), io.random);
  const account = await readAccountIdentity(context);
  const { profileName: profile = null } = await context.session();
  const job = { id, profile, plan, account, names, undoes: null, now: io.now() };
  return startMerge(jobsFolder(io), job, context);
}

/** A client that was named, or is chosen at a terminal. */
async function findClient(
  reference: string | undefined,
  context: CommandContext,
  { question, except }: { readonly question: string; readonly except?: string },
): Promise<NamedPerson> {
  if (reference !== undefined) return resolveClient(reference, context, { isWrite: true, question, except });
  if (context.prompts.isInteractive) return pickClient(question, context, { except });
  throw new SalonError('usage', 'Name a client and the duplicate.', {
    hint: 'List likely duplicates with: salon clients duplicates',
  });
}

/** Names that tell the two apart: by email address or phone number, else by ID. */
function toNames(into: Fields, from: Fields): MergeNames {
  const [one, other] = [readPerson(into), readPerson(from)];
  const fact = (['email', 'phone'] as const).find((key) => one?.[key] !== other?.[key]);
  const label = (person: typeof one, id: unknown) => {
    const name = person?.name ?? String(id);
    if (one?.name !== other?.name || name === id) return name;
    return `${name} (${fact === undefined ? id : person?.[fact] || `no ${fact}`})`;
  };
  return { into: label(one, into['id']), from: label(other, from['id']) };
}

const columns = columnSet({ field: 'text', kept: 'value', other: 'value', result: 'value', rule: 'text' });

/** The service names members of its body; here they are flags. */
function withoutServerPointers(thrown: unknown): unknown {
  if (!(thrown instanceof SalonError) || thrown.code !== 'validation_failed') return thrown;
  const fields = thrown.violations.flatMap(
    ({ pointer }) => /^\/(?:fields\/)?(\w+)$/.exec(pointer ?? '')?.[1] ?? [],
  );
  const [field = 'notes'] = fields;
  const value = field === 'tags' ? `'tags:=["vip"]'` : `${field}=…`;
  const hint = `Decide the field: --set ${value} or --prefer ${field}`;
  return new SalonError(thrown.code, thrown.message, { ...thrown, hint });
}
