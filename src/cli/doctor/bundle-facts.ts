import { listJobIds, readDamagedStatus, readJob } from '../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../contract/errors.ts';
import { maskPersonalSentence } from '../../contract/mask-personal.ts';
import type { Io } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import type { Profile } from '../session/profiles.ts';

const maxJobs = 20;
/** Environment variables that change what salon does. */
const variables =
  /^(SALON_\w+|NODE_\w+|(https?|all|no)_proxy|SSL_CERT_\w+|TZ|LANG|LC_\w+|TERM|CI|NO_COLOR|FORCE_COLOR|PAGER|XDG_\w+_HOME)$/i;
const secretVariables = /KEY|TOKEN|SECRET|PASSWORD|HEADERS|NODE_AUTH/i;

/** Profiles and environment variables, without keys and header values. */
export async function collectSettings({ io, profiles }: CommandContext): Promise<object> {
  const environment = Object.entries(io.env)
    .filter(([name, value]) => variables.test(name) && value !== undefined)
    .map(([name, value = '']) => [name, toShown(name, value)] as const);
  try {
    const store = await profiles();
    const saved = Object.entries(store.all()).map(
      ([name, profile]) => [name, withoutSecrets(profile)] as const,
    );
    return {
      current_profile: store.currentName() ?? null,
      profiles: Object.fromEntries(saved),
      environment: Object.fromEntries(environment),
    };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { profiles_unreadable: error.message, environment: Object.fromEntries(environment) };
  }
}

function toShown(name: string, value: string): string {
  if (/^SALON_(API_KEY_FILE|CLIENT_KEY)$/.test(name)) return value;
  if (secretVariables.test(name)) return '…';
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
  return {
    ...settings,
    has_key: credential !== undefined,
    key_origin: credential?.origin ?? null,
    ...(oauth === undefined
      ? {}
      : {
          oauth: {
            origin: oauth.origin,
            issuer: oauth.issuer,
            client_id: oauth.client_id,
            storage: oauth.storage,
          },
        }),
    headers: [...Object.keys(headers), ...Object.keys((dialectHeaders as object | undefined) ?? {})],
    dialect: differences,
    ...(account === undefined
      ? {}
      : { account_id: account.id, account: account.name, plan: account.plan, role: account.role }),
  };
}

/** The latest jobs: what they are and how they ended, without data, queries and files. */
export async function collectJobs(io: Io, isMasked: boolean): Promise<object> {
  try {
    const root = jobsFolder(io);
    const ids = (await listJobIds(root)).slice(0, maxJobs);
    return await Promise.all(ids.map((id) => describeJob(root, id, isMasked)));
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { jobs_unreadable: error.message };
  }
}

/** Says why a job stopped. Servers may name a person there. */
function toReason(reason: string | null, isMasked: boolean): string | null {
  return reason !== null && isMasked ? maskPersonalSentence(reason) : reason;
}

async function describeJob(root: string, id: string, isMasked: boolean): Promise<object> {
  const { state, rows, total, endedAt, reason, tally } = await readDamagedStatus(root, id);
  const shown = toReason(reason, isMasked);
  const status = { id, state, rows, total, ended_at: endedAt, outcomes: tally, reason: shown };
  try {
    const { kind, createdAt, origin } = await readJob(root, id);
    return { ...status, kind, created_at: createdAt, origin };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { ...status, state: 'damaged', reason: toReason(error.message, isMasked) };
  }
}
