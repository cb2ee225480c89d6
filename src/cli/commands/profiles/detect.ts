import {
  contractDialect,
  type Dialect,
  declaresServer,
  pagingParts,
  pickParts,
  placeParts,
} from '../../../client/dialect/dialect.ts';
import { takeFirst } from '../../../client/pagination/paginate.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Handler } from '../../action-runner.ts';
import { findDataFolder } from '../../folders.ts';
import { isDialectMismatch } from '../../session/account.ts';
import { parseSavedDialect, readConfiguredDialect, type SavedDialect } from '../../session/change-setting.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { openSalonConnection } from '../../session/connection.ts';
import { isEmbedded } from '../../session/embedded.ts';
import { changeDetectedDialect, readDetectedDialect } from '../../session/server-state.ts';
import { requireBaseUrl, requireProfile, type Session } from '../../session/session.ts';
import { recogniseDialect } from '../../sign-in/verify-key.ts';

/** Finds out how the server of a profile pages and filters its lists, and saves it. */
export const detectDialect: Handler<object, [name: string | undefined]> = async (context, name) => {
  const session = await context.session(name);
  const { profileName } = session;
  const baseUrl = requireBaseUrl(session);
  if (profileName === undefined) throw new SalonError('usage', 'There is no profile to save it in.');
  const speaksDocument = 'speaks the documented API: nothing needs to be set.';
  if (isEmbedded(baseUrl)) return { show: 'nothing', message: `An embedded salon ${speaksDocument}` };
  const saved = session.profile?.dialect ?? {};
  const place = pickParts(parseSavedDialect(saved), placeParts);
  const found = (await speaksContract(session, place, context))
    ? pickParts(place, ['headers', 'prefix'])
    : keepOthers(saved, await findDialect(session, place, { ...context, saved }));
  const dialect = Object.keys(found).length === 0 ? undefined : found;
  const store = await context.profiles();
  await store.change((profiles) => {
    const { dialect: _former, ...profile } = requireProfile(profiles, profileName);
    profiles.save(profileName, { ...profile, ...(dialect && { dialect }) });
  });
  const configured = parseSavedDialect(found);
  await changeDetectedDialect({ folder: findDataFolder(context.io), baseUrl, configured }, () => ({}));
  const message = declaresServer(configured)
    ? `Saved in profile ${profileName}. To see it: salon profiles show ${profileName}`
    : `This server ${speaksDocument}`;
  return { show: 'nothing', message };
};

/** What is found out replaces how the lists were paged and filtered, and nothing else. */
function keepOthers(saved: SavedDialect, found: SavedDialect): SavedDialect {
  // Of a server that answers like no ready-made dialect, the differences from the documented API were found.
  const isLikeNone = saved['extends'] !== undefined && found['extends'] === undefined;
  const usual = isLikeNone ? pickParts(contractDialect, replacedParts) : {};
  const { lists: own = {} } = parseSavedDialect({ lists: saved['lists'] ?? {} });
  const ofLists: Dialect['lists'] = Object(found['lists']);
  const plurals = Object.keys({ ...own, ...ofLists });
  const lists = plurals.map((plural) => [plural, { ...withoutPaging(own[plural]), ...ofLists[plural] }]);
  const all = { ...usual, ...withoutPaging(saved), ...found, ...joinNames(saved, found) };
  return plurals.length === 0 ? all : { ...all, lists: Object.fromEntries(lists) };
}

/** Names that were set go before those that were found, of a resource as a whole; and a total that is none stays so. */
function joinNames({ fields, statuses, totalKey }: SavedDialect, found: SavedDialect): SavedDialect {
  return {
    ...(totalKey === null && { totalKey }),
    ...(fields !== undefined && { fields: { ...Object(found['fields']), ...Object(fields) } }),
    ...(statuses !== undefined && { statuses }),
  };
}

function withoutPaging(dialect: object = {}): SavedDialect {
  return Object.fromEntries(
    Object.entries(dialect).filter(([part]) => !replacedParts.some((one) => one === part)),
  );
}

const replacedParts = [...pagingParts, ...(['perPage', 'filterNames'] as const)] as const;

async function findDialect(
  session: Session,
  place: Partial<Dialect>,
  { io, messages, saved }: CommandContext & { readonly saved: SavedDialect },
): Promise<SavedDialect> {
  const { extends: _kind, ...own } = saved;
  const declared = parseSavedDialect(own);
  const lists = Object.entries(declared.lists ?? {}).map(
    ([plural, list]) => [plural, pickParts(list, ['filterNames'])] as const,
  );
  // How the lists were paged is found out anew.
  const filters = pickParts(declared, ['filterNames', 'filterStyle']);
  const known = { ...place, ...filters, lists: Object.fromEntries(lists) };
  // Nothing more is asked after a limit.
  const settings = { ...session.settings, maxWait: { value: 0, source: 'default' } as const };
  const found = await recogniseDialect({ session: { ...session, settings }, io, messages }, known);
  if (found !== undefined) return { ...place, ...found };
  throw new SalonError(
    'unexpected_response',
    `No list of clients found at ${requireBaseUrl(session)}, or only an empty one.`,
    {
      hint: 'Say how this server differs: salon profiles set <profile> dialect <name|file.json> (docs/other-servers.md).',
    },
  );
}

async function speaksContract(
  session: Session,
  place: Partial<Dialect>,
  { io, messages }: CommandContext,
): Promise<boolean> {
  const { prefix = contractDialect.prefix, headers = {} } = place;
  const dialect = { prefix, headers };
  await using connection = await openSalonConnection({ session: { ...session, dialect }, io, messages });
  try {
    await takeFirst(connection.client.clients.list({}, { limit: 1 }));
    return true;
  } catch (error) {
    if (!isDialectMismatch(error)) throw error;
    return false;
  }
}

/** The dialect of the session as a file for `SALON_DIALECT`. */
export async function renderDialect(session: Session, { io }: CommandContext): Promise<string> {
  const { members } = await readConfiguredDialect(io, session.env, session.profile?.dialect);
  const place = { folder: findDataFolder(io), baseUrl: requireBaseUrl(session), configured: members };
  return `${JSON.stringify({ ...(await readDetectedDialect(place)), ...members }, undefined, 2)}\n`;
}
