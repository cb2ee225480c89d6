import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readVariable } from '../../settings.ts';
import { readAliases } from '../aliases.ts';
import type { ParsedLine } from '../command-line.ts';
import { settingTable } from '../flags/settings.ts';
import { configFolder, jobsFolder } from '../folders.ts';
import type { Io } from '../io.ts';
import { readJsonFile, readKnownStylists } from '../people/known-stylists.ts';

/** A word to offer. */
export interface Candidate {
  readonly text: string;
  readonly description?: string | undefined;
}

/** Jobs are described, and left out where a command cannot use them, up to this many. */
const describedJobs = 50;

/** The profiles of this machine: read from their file, because opening it with all its checks takes too long. */
export function readProfiles(io: Io): readonly Candidate[] {
  const { profiles } = readConfig(io);
  return Object.entries(profiles).map(([text, { base_url }]) => ({ text, description: base_url }));
}

/** Job IDs, the newest first; for undo and results only those of bulk edits. */
export function readJobs(io: Io, path: string): readonly Candidate[] {
  const root = jobsFolder(io);
  const ids = readdirSync(root).filter((name) => /^\d{8}-\d{6}-[0-9a-f]{6}$/.test(name));
  const wantsEdits = path === 'jobs undo' || path === 'jobs results';
  return ids
    .sort()
    .reverse()
    .slice(0, describedJobs)
    .map((id) => ({ id, job: readJsonFile<JobFile>(join(root, id, 'job.json')) }))
    .filter(({ job }) => !wantsEdits || job?.kind === 'edit' || job?.kind === 'merge')
    .map(({ id, job }) => ({ text: id, description: job && describeJob(job) }));
}

/** The commands of the user's own. */
export function readAliasNames(io: Io): readonly Candidate[] {
  return Object.entries(readAliases(io)).map(([text, description]) => ({ text, description }));
}

/** Stylists of the salon in use, as far as an earlier command has shown them: by name and by ID. */
export function readStylists(io: Io, { used }: ParsedLine): readonly Candidate[] {
  const { current, profiles } = readConfig(io);
  const flags = new Map([...used].map(([option, value]) => [option.long, value]));
  const name = flags.get('--profile') ?? readVariable(settingTable.profile, io.env) ?? current;
  const baseUrl =
    flags.get('--base-url') ??
    (flags.has('--profile') ? undefined : readVariable(settingTable.baseUrl, io.env)) ??
    profiles[name ?? '']?.base_url;
  const known = baseUrl === undefined ? [] : readKnownStylists(io, baseUrl);
  const ids = known.map((stylist) => ({ text: stylist.id, description: stylist.name }));
  return [...known.map((stylist) => ({ text: stylist.name, description: stylist.id })), ...ids];
}

interface Config {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, { readonly base_url: string }>>;
}

function readConfig(io: Io): Config {
  return { profiles: {}, ...readJsonFile<Config>(join(configFolder(io), 'config.json')) };
}

interface JobFile {
  readonly kind?: string;
  readonly work?: {
    readonly noun?: string;
    readonly edit?: { readonly noun: string; readonly verb: string };
  };
}

function describeJob({ kind, work }: JobFile): string {
  if (kind === 'merge') return 'merge clients';
  if (kind !== 'edit') return `${kind} ${work?.noun}`;
  const { verb, noun } = work?.edit ?? {};
  return verb === 'delete' && noun === 'appointments' ? 'cancel appointments' : `${verb} ${noun}`;
}
