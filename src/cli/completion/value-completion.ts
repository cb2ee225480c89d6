import { type Argument, Option } from 'commander';
import { presetNames } from '../../client/dialect/presets.ts';
import { apiKeyStatuses, newApiKey } from '../../contract/api-key.ts';
import { appointmentQuery, appointmentStatuses, newAppointment } from '../../contract/appointment.ts';
import { auditedResources } from '../../contract/audit.ts';
import { clientQuery, newClient } from '../../contract/client.ts';
import { deliveryStatuses } from '../../contract/delivery.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { newPayment, paymentMethods, paymentQuery, paymentStatuses } from '../../contract/payment.ts';
import { scopes } from '../../contract/roles.ts';
import { newStylist, stylistQuery } from '../../contract/stylist.ts';
import { newWebhook } from '../../contract/webhook.ts';
import type { ParsedLine } from '../command-line.ts';
import { type Completer, DefinedArgument, FlagOption } from '../flags/flag.ts';
import { periodNames } from '../flags/periods.ts';
import type { Io } from '../io.ts';
import {
  apiKeyColumns,
  appointmentColumns,
  auditColumns,
  type ColumnSet,
  clientColumns,
  deliveryColumns,
  paymentColumns,
  stylistColumns,
  webhookColumns,
} from '../output/columns.ts';
import { groupings } from '../report/report-question.ts';
import { settableNames } from '../session/profile.ts';
import { type Candidate, readAliasNames, readJobs, readProfiles, readStylists } from './local-values.ts';

/** What goes into the value of a flag, or an argument. */
export type ValueCompletion =
  | { readonly kind: 'one' | 'list' | 'assignment'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'file'; readonly mark: string };

/** A place for a value: which command, which flag or argument, and what the line has before it. */
interface CompletionPosition {
  /** The words that lead to the command, such as `clients list`. */
  readonly path: string;
  readonly target: Option | Argument;
  /** The arguments and flags before it. */
  readonly line: ParsedLine;
}

interface Noun {
  readonly columns: ColumnSet;
  readonly fields: object;
  readonly sort?: readonly string[];
  readonly statuses?: readonly string[];
}

const nouns: Readonly<Record<string, Noun>> = {
  appointments: {
    columns: appointmentColumns,
    fields: newAppointment.properties,
    sort: appointmentQuery.properties.sort.enum,
    statuses: appointmentStatuses,
  },
  clients: {
    columns: clientColumns,
    fields: newClient.properties,
    sort: clientQuery.properties.sort.enum,
  },
  payments: {
    columns: paymentColumns,
    fields: newPayment.properties,
    sort: paymentQuery.properties.sort.enum,
    statuses: paymentStatuses,
  },
  stylists: {
    columns: stylistColumns,
    fields: newStylist.properties,
    sort: stylistQuery.properties.sort.enum,
  },
  audit: { columns: auditColumns, fields: {} },
  keys: { columns: apiKeyColumns, fields: newApiKey.properties, statuses: apiKeyStatuses },
  webhooks: { columns: webhookColumns, fields: newWebhook.properties, statuses: deliveryStatuses },
};

const reportStatuses: Readonly<Record<string, readonly string[]>> = {
  revenue: paymentStatuses,
  retention: appointmentStatuses,
};

/** Webhook commands that print deliveries. */
const deliveryVerbs = ['test', 'deliveries', 'redeliver'];

/** What a flag or an argument takes; undefined where anything goes. */
export async function findValueCompletion(
  place: CompletionPosition,
  io: Io,
): Promise<ValueCompletion | undefined> {
  const { target } = place;
  if (target.argChoices !== undefined)
    return { kind: 'one', candidates: toCandidates(target.argChoices.map(withoutPlaceholder)) };
  const placeholder =
    target instanceof Option ? (/[<[](.+?)[>\]]/.exec(target.flags)?.[1] ?? '') : target.name();
  if (/^(?:file|plan)\b/.test(placeholder)) return { kind: 'file', mark: '' };
  const complete =
    target instanceof FlagOption
      ? target.definition.complete
      : target instanceof DefinedArgument
        ? target.complete
        : undefined;
  if (typeof complete === 'object' && 'filesAfter' in complete)
    return { kind: 'file', mark: complete.filesAfter };
  const candidates =
    complete !== undefined
      ? await readCandidates(complete, place, io)
      : target instanceof Option
        ? await findFlagValues(target.long ?? '', place, io)
        : await findArgumentValues(target.name(), place, io);
  if (candidates === undefined) return findMarkedFile(target instanceof Option ? target.long : undefined);
  if (placeholder.endsWith('=value')) return { kind: 'assignment', candidates };
  return { kind: placeholder.includes(',') ? 'list' : 'one', candidates };
}

/** What a completer offers at a place; undefined where the noun of the command has nothing of the kind. */
async function readCandidates(
  complete: Exclude<Completer, { filesAfter: string }>,
  { path, line }: CompletionPosition,
  io: Io,
): Promise<readonly Candidate[] | undefined> {
  const [name = '', verb = ''] = path.split(' ');
  const noun = nouns[shortcuts.includes(name) ? 'appointments' : name];
  const known: Readonly<
    Record<Extract<Completer, string>, () => readonly (string | Candidate)[] | undefined>
  > = {
    profiles: () => readProfiles(io),
    stylists: () => readStylists(io, line),
    'stylists after with': () => (line.args.at(-1) === 'with' ? readStylists(io, line) : undefined),
    jobs: () => readJobs(io, path),
    aliases: () => readAliasNames(io),
    paths: () => listRequestPaths(line.args[0] ?? ''),
    periods: () => [...toCandidates(periodNames), ...readStylists(io, line)],
    settings: () => settableNames.map(withoutPlaceholder),
    columns() {
      const set = deliveryVerbs.includes(verb) ? deliveryColumns : noun?.columns;
      return set && [...set.all.map(({ key }) => key), ...Object.keys(set.names ?? {})];
    },
    fields: () => noun && Object.keys(noun.fields),
    'sort fields': () => noun?.sort,
    statuses: () => noun?.statuses,
  };
  const words =
    typeof complete === 'string'
      ? known[complete]()
      : typeof complete === 'function'
        ? await complete()
        : complete;
  return words?.map((word) => (typeof word === 'string' ? { text: word } : word));
}

function findMarkedFile(flag: string | null | undefined): ValueCompletion | undefined {
  if (flag === '--data') return { kind: 'file', mark: '@' };
  return flag === '--database' ? { kind: 'file', mark: 'sqlite:' } : undefined;
}

/** Commands at the top that are about appointments. */
const shortcuts: readonly string[] = ['today', 'calendar', 'book', 'move', 'call-list'];

async function findFlagValues(flag: string, { path, line }: CompletionPosition, io: Io) {
  const [name = '', verb = ''] = path.split(' ');
  const noun = nouns[shortcuts.includes(name) ? 'appointments' : name];
  const known: Readonly<Record<string, () => readonly string[] | undefined>> = {
    '--columns': () => {
      const set = deliveryVerbs.includes(verb) ? deliveryColumns : noun?.columns;
      return set && [...set.all.map(({ key }) => key), ...Object.keys(set.names ?? {})];
    },
    '--sort': () => noun?.sort,
    '--set': () =>
      name === 'auth' ? settableNames.map(withoutPlaceholder) : noun && Object.keys(noun.fields),
    '--dialect': () => presetNames,
    '--status': () => (name === 'report' ? reportStatuses[verb] : noun?.statuses),
    '--where-status': () => appointmentStatuses,
    '--by': () => groupings,
    '--period': () => periodNames,
    '--method': () => paymentMethods,
    '--scopes': () => scopes,
    '--action': () => (name === 'audit' ? auditedResources.map((resource) => `${resource}.*`) : undefined),
  };
  if (flag === '--profile') return readProfiles(io);
  if (['--stylist', '--where-stylist', '--preferred-stylist'].includes(flag)) return readStylists(io, line);
  const words = known[flag]?.();
  return words && toCandidates(words);
}

async function findArgumentValues(name: string, { path, line }: CompletionPosition, io: Io) {
  if (path.startsWith('jobs ')) return name === 'id' ? readJobs(io, path) : undefined;
  if (path.startsWith('profiles ')) return name === 'profile' ? readProfiles(io) : undefined;
  const isWith = shortcuts.includes(path) && line.args.at(-1) === 'with';
  if (isWith || /^(?:stylists |(?:today|free|(?:appointments )?calendar)$)/.test(path))
    return readStylists(io, line);
  if (path === 'alias delete') return readAliasNames(io);
  if (path.startsWith('report ')) return [...toCandidates(periodNames), ...readStylists(io, line)];
  if (path !== 'api') return undefined;
  return toCandidates(name === 'method' ? requestMethods : listRequestPaths(line.args[0] ?? ''));
}

const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The paths a method has. One with an ID ends before it, as `/clients/`. */
function listRequestPaths(method: string): readonly string[] {
  const wanted = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
  const matching = Object.values(endpoints).filter((endpoint) => endpoint.method === wanted);
  return [...new Set(matching.map(({ path }) => path.replace(/:.*/, '')))].sort();
}

/** Includes every known `filter.<name>`. */
function withoutPlaceholder(word: string): string {
  return word.replace(/<.*$/, '');
}

function toCandidates(words: readonly string[]): readonly Candidate[] {
  return words.map((text) => ({ text }));
}
