import type { Argument, Option } from 'commander';
import { endpoints } from '../../contract/endpoints.ts';
import type { ParsedLine } from '../command-line.ts';
import { type Completer, DefinedArgument, FlagOption } from '../flags/flag.ts';
import { periodNames } from '../flags/periods.ts';
import type { Io } from '../io.ts';
import { type Noun, type NounName, nouns } from '../nouns/nouns.ts';
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

/** What a flag or an argument takes; undefined where anything goes. */
export async function findValueCompletion(
  place: CompletionPosition,
  io: Io,
): Promise<ValueCompletion | undefined> {
  const { target } = place;
  if (target.argChoices !== undefined)
    return { kind: 'one', candidates: toCandidates(target.argChoices.map(withoutPlaceholder)) };
  const placeholder = target instanceof FlagOption ? (target.placeholder ?? '') : target.name();
  if (/^(?:file|plan)\b/.test(placeholder)) return { kind: 'file', mark: '' };
  const complete =
    target instanceof FlagOption
      ? target.definition.complete
      : target instanceof DefinedArgument
        ? target.complete
        : undefined;
  if (complete === undefined) return undefined;
  if (typeof complete === 'object' && 'filesAfter' in complete)
    return { kind: 'file', mark: complete.filesAfter };
  const candidates = await readCandidates(complete, place, io);
  if (candidates === undefined) return undefined;
  if (placeholder.endsWith('=value')) return { kind: 'assignment', candidates };
  return { kind: placeholder.includes(',') ? 'list' : 'one', candidates };
}

/** What a completer offers at a place; undefined where the noun of the command has nothing of the kind. */
async function readCandidates(
  complete: Exclude<Completer, { filesAfter: string }>,
  { path, line }: CompletionPosition,
  io: Io,
): Promise<readonly Candidate[] | undefined> {
  const noun = nounOf(path);
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
    columns: () => listColumns(noun),
    fields: () => noun?.fields,
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

/** Commands at the top that are about appointments. */
const shortcuts: readonly string[] = ['today', 'calendar', 'book', 'move', 'call-list'];

/** Commands whose records the client calls otherwise. */
const otherNames: Readonly<Record<string, NounName>> = { blocks: 'blockedTimes', keys: 'apiKeys' };

/** Webhook commands that print deliveries. */
const deliveryVerbs = ['test', 'deliveries', 'redeliver'];

/** The records that a command is about. */
function nounOf(path: string): Noun | undefined {
  const [name = '', verb = ''] = path.split(' ');
  if (name === 'webhooks' && deliveryVerbs.includes(verb)) return nouns.deliveries;
  const known: Readonly<Record<string, Noun>> = nouns;
  return known[shortcuts.includes(name) ? 'appointments' : (otherNames[name] ?? name)];
}

/** The columns that its records have. */
function listColumns(noun: Noun | undefined): readonly string[] | undefined {
  return noun && [...noun.columns.all.map(({ key }) => key), ...Object.keys(noun.columns.names ?? {})];
}

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
