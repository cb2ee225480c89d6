import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { withFileErrors } from '../../bulk/jobs/file-access.ts';
import { listJobIds, readDamagedStatus, readJob } from '../../bulk/jobs/job-folder.ts';
import { createPartialFile, type OutputTarget } from '../../bulk/jobs/partial-file.ts';
import { SalonError } from '../../contract/errors.ts';
import { serviceSettings } from '../../service/config.ts';
import type { SettingDefinition } from '../../settings.ts';
import { maskPersonalSentence } from '../../text/mask-personal.ts';
import { maskSecrets, maskValue } from '../../text/mask-secrets.ts';
import { settingTable } from '../flags/settings.ts';
import { jobsFolder } from '../folders.ts';
import { type Io, version } from '../io.ts';
import { readOutputTarget } from '../output/output-file.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Profile } from '../session/profile.ts';
import type { Check } from './check-result.ts';

/** Where a bundle goes. Throws `usage` and `output_failed` for a path that cannot be written. */
export async function findBundleTarget(file: string, cwd: string): Promise<OutputTarget> {
  const path = resolve(cwd, file);
  if (!/\.zip$/i.test(path)) {
    throw new SalonError('usage', `--bundle needs a file that ends with .zip, not "${file}".`);
  }
  await withFileErrors(path, () => access(dirname(path), constants.W_OK));
  const target = await readOutputTarget(path);
  if (target === undefined) throw new SalonError('usage', `--bundle needs a file, and ${file} is a device.`);
  return { ...target, mode: 0o600 };
}

/**
 * Writes a zip file for support: checks, settings and the latest jobs. It never contains keys, and unless `isMasked` is
 * false no names of people, files and accounts. Only its owner can read it. Throws `output_failed`.
 */
export async function writeBundle(
  target: OutputTarget,
  { checks, context, isMasked }: { checks: readonly Check[]; context: CommandContext; isMasked: boolean },
): Promise<void> {
  const { io } = context;
  const mask = await createBundleMask(context, isMasked);
  const files = {
    'README.txt': renderReadme(io.now(), isMasked),
    'checks.json': toJson(isMasked ? checks.map(withoutQuotes) : checks, mask),
    'settings.json': toJson(await collectSettings(context), mask),
    'jobs.json': toJson(await collectJobs(io, isMasked), mask),
  };
  const { zipSync } = await import('fflate');
  const entries = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]);
  const zip = zipSync(Object.fromEntries(entries), { mtime: io.now() });
  await using partial = await createPartialFile(target, randomUUID());
  try {
    await partial.write(Buffer.from(zip));
    await partial.commit();
  } finally {
    await partial.discard();
  }
}

/** A server may name a person in its errors. */
function withoutQuotes(check: Check): Check {
  if (check.status !== 'problem' || !['service', 'key'].includes(check.check)) return check;
  const { code, reason } = check.details ?? {};
  return { ...check, message: maskPersonalSentence(check.message), details: { code, reason } };
}

type TextMask = (text: string) => string;

function toJson(value: unknown, mask: TextMask): string {
  return `${JSON.stringify(maskValue(value, mask), null, 2)}\n`;
}

/** Hides secrets always; names of accounts and the home folder, which often has a person's name, if masked. */
async function createBundleMask({ io, profiles }: CommandContext, isMasked: boolean): Promise<TextMask> {
  if (!isMasked) return maskSecrets;
  const store = await profiles().catch(() => undefined);
  const accounts = Object.values(store?.all() ?? {}).map(({ account }) => account?.name ?? '');
  const hidden = accounts.filter((name) => name !== '').sort((a, b) => b.length - a.length);
  return (text) => {
    const withoutHome = io.homeFolder === undefined ? text : text.replaceAll(io.homeFolder, '~');
    return maskSecrets(hidden.reduce((masked, name) => masked.replaceAll(name, '…'), withoutHome));
  };
}

function renderReadme(now: Date, isMasked: boolean): string {
  const contents = isMasked
    ? 'Keys, header values, names of accounts, files and people are left out; the home folder is "~".'
    : 'Keys and header values are left out. It was written with --no-mask: it may contain names.';
  return `Written by salon ${version} doctor at ${now.toISOString()}.
${contents}

checks.json    what salon doctor found
settings.json  profiles and environment variables
jobs.json      the latest exports and bulk edits, without their data
`;
}

const maxJobs = 20;
/** Environment variables that change what salon does. */
const variables =
  /^(SALON_\w+|NODE_\w+|(https?|all|no)_proxy|SSL_CERT_\w+|TZ|LANG|LC_\w+|TERM|CI|NO_COLOR|FORCE_COLOR|PAGER|XDG_\w+_HOME)$/i;
const allSettings: SettingDefinition[] = [...Object.values(settingTable), ...Object.values(serviceSettings)];
const secretVariables = /KEY|TOKEN|SECRET|PASSWORD|HEADERS|NODE_AUTH/i;

/** Profiles and environment variables, without keys and header values. */
async function collectSettings({ io, profiles }: CommandContext): Promise<object> {
  const set = Object.entries(io.env).flatMap(([name, value]) =>
    variables.test(name) && value !== undefined ? [[name, toShown(name, value)]] : [],
  );
  const environment = Object.fromEntries(set);
  try {
    const store = await profiles();
    const saved = Object.entries(store.all()).map(([name, profile]) => [name, withoutSecrets(profile)]);
    const current = store.currentName() ?? null;
    return { current_profile: current, profiles: Object.fromEntries(saved), environment };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { profiles_unreadable: error.message, environment };
  }
}

function toShown(name: string, value: string): string {
  const setting = allSettings.find(({ variable }) => variable === name);
  const isSecret = setting === undefined ? secretVariables.test(name) : setting.isSecret === true;
  if (isSecret) return '…';
  if (!/_proxy$/i.test(name) || /^no_proxy$/i.test(name)) return value;
  return value.replace(/^([a-z\d+.-]+:\/\/)?.*@/i, '$1…@');
}

function withoutSecrets({
  credential,
  oauth,
  headers = {},
  dialect = {},
  account,
  ...settings
}: Profile): object {
  const { headers: dialectHeaders, ...differences } = dialect;
  const { origin, issuer, client_id, storage } = oauth ?? {};
  // JSON leaves out what is undefined.
  return {
    ...settings,
    has_key: credential !== undefined,
    key_origin: credential?.origin ?? null,
    oauth: oauth && { origin, issuer, client_id, storage },
    headers: [...Object.keys(headers), ...Object.keys((dialectHeaders as object | undefined) ?? {})],
    dialect: differences,
    ...{ account_id: account?.id, account: account?.name, plan: account?.plan, role: account?.role },
  };
}

/** The latest jobs: what they are and how they ended, without data, queries and files. */
async function collectJobs(io: Io, isMasked: boolean): Promise<object> {
  try {
    const root = jobsFolder(io);
    const ids = (await listJobIds(root)).slice(0, maxJobs);
    return await Promise.all(ids.map((id) => describeJob(root, id, isMasked)));
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { jobs_unreadable: error.message };
  }
}

async function describeJob(root: string, id: string, isMasked: boolean): Promise<object> {
  const { state, rows, total, endedAt, reason, tally } = await readDamagedStatus(root, id);
  // Servers may name a person in what a job stopped for.
  const toReason = (text: string) => (isMasked ? maskPersonalSentence(text) : text);
  const shown = reason === null ? null : toReason(reason);
  const status = { id, state, rows, total, ended_at: endedAt, outcomes: tally, reason: shown };
  try {
    const { kind, createdAt, origin } = await readJob(root, id);
    return { ...status, kind, created_at: createdAt, origin };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { ...status, state: 'damaged', reason: toReason(error.message) };
  }
}
