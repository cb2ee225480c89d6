import type { Command } from 'commander';
import { once } from '../../bulk/concurrent.ts';
import type { Job } from '../../bulk/jobs/job.ts';
import type { SalonClient } from '../../client/client.ts';
import type { KnownSettings } from '../../client/http/settings-version.ts';
import type { Collections } from '../../client/resources/collections.ts';
import { SalonError } from '../../contract/errors.ts';
import { isEnabled, isSwitchedOn } from '../../settings.ts';
import type { ConfirmationFlags, GlobalFlags, ListFlags } from '../flags/options.ts';
import { settingTable } from '../flags/settings.ts';
import type { Io } from '../io.ts';
import { createMessages, type Messages } from '../messages/messages.ts';
import { createPrompts, type Prompts } from '../messages/prompts.ts';
import { chooseMask } from '../messages/request-trace.ts';
import { createStatusLine, type StatusLine } from '../messages/status-line.ts';
import { assertConfirmed, assertWritable, createConfirmation, uncheckedRules } from './confirmation.ts';
import type { OutdatedSession } from './known-salon.ts';
import type { KnownSalon } from './profile.ts';
import type { ProfileStore } from './profiles.ts';
import { asksForZone, describeOverride, readSalonSetting, resolveSetting } from './resolve-settings.ts';
import { findSavedAccount, resolveSession, type Session, toServiceOrigin } from './session.ts';

/** What a command handler works with. What is slow to load is a function. */
export interface CommandContext<Flags = object> {
  readonly flags: GlobalFlags & Flags;
  readonly io: Io;
  readonly messages: Messages;
  readonly status: StatusLine;
  readonly prompts: Prompts;
  /** Whether output is for a screen reader. Ignores the profile where it cannot be read. */
  isPlain(): Promise<boolean>;
  /** The session of the command's profile, or of the named one. */
  session(profileName?: string): Promise<Session>;
  /** What the service says about the salon, read once; undefined where it says nothing. */
  salon(): Promise<KnownSalon | undefined>;
  /**
   * The time zone that written times are read in: where only the environment says which salon, the service is asked, and
   * a warning names the zone that is assumed if it does not say, unless it is shown with the times.
   */
  timeZone(how?: { readonly isShown?: boolean }): Promise<string>;
  /** What a connection calls once the salon has other settings: the command starts again with them. */
  startAgain(session: Session): KnownSettings['onChanged'];
  /** Says, once, that a setting is not that of the salon. */
  sayOverride(name: Parameters<typeof describeOverride>[0]): Promise<void>;
  /** The times of a command that were read from local times. The salon's clock may have other rules than this one. */
  readonly localTimes: {
    note(instantMs: number): void;
    /**
     * Call before a record is written, or checked by a dry run: if it has a noted time that the salon reads differently,
     * says so and asks. Throws `confirmation_required`.
     */
    confirm(record: object): Promise<void>;
  };
  withProfile(name: string): CommandContext<Flags>;
  client(): Promise<SalonClient>;
  /** Lets reads wait for a service that is unavailable up to --max-wait, as exports and pipes do: for bulk work. */
  waitForService(): void;
  /** A client that an interrupt does not stop, for commands that clean up at the end. */
  cleanupClient(): Promise<SalonClient>;
  profiles(): Promise<ProfileStore>;
  /** Closes the resource after the result is printed. */
  closeAtEnd<Resource extends AsyncDisposable>(resource: Resource): Resource;
  /** The command tree: what these words name of it, or all. */
  program(words?: readonly string[]): Promise<Command>;
  /** Runs another command in this process. Returns its exit code. */
  runCommand(argv: readonly string[]): Promise<number>;
  /** Asks before a change on this machine that cannot be undone. Throws `confirmation_required`. */
  confirmLocal(question: string): Promise<void>;
  /** Asks before a change of the session's salon, as its profile requires. Throws `confirmation_required`. */
  confirm(question: string): Promise<void>;
  /**
   * Has the server check what a dry run would send. Throws what the write would, also on a read-only profile. A server
   * that cannot check gets nothing: it might execute the write. Returns a sentence for people.
   */
  checkDryRun(write: (client: Collections) => Promise<unknown>): Promise<string>;
}

/** A command starts again once the settings of the salon turn out to be others. */
export interface Attempts {
  /** What has been learnt of salons, by profile. */
  readonly learnt: Map<string, KnownSalon>;
  /** Messages of former attempts, which are not repeated. */
  readonly said: Set<string>;
  /** Why this attempt has to end. */
  outdated?: OutdatedSession | undefined;
}

export interface CommandContextOptions<Flags> {
  readonly io: Io;
  readonly flags: GlobalFlags & Flags;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  readonly program: (words?: readonly string[]) => Promise<Command>;
  /** What writes --trace. */
  readonly watchers: Parameters<typeof createMessages>[1]['watchers'];
  /** Disposed of at the end of the command. */
  readonly resources: AsyncDisposableStack;
  /** What the attempts of a command share. */
  readonly attempts: Attempts;
  /** Whether the command sends no requests, and needs no key. */
  readonly isLocal?: boolean;
  readonly isOfJob?: boolean;
}

export function createCommandContext<Flags>(options: CommandContextOptions<Flags>): CommandContext<Flags> {
  const { io, flags, run, program, resources, attempts, isLocal = false, isOfJob = false } = options;
  const { learnt } = attempts;
  const messages = createMessages(io, {
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    debug: isSwitchedOn(settingTable.debug, flags.debug, io.env),
    mask: chooseMask(flags.mask),
    watchers: options.watchers,
    said: attempts.said,
  });
  const profiles = once(async () => (await import('./profiles.ts')).openProfileStore(io));
  const ownSession = once(async () => {
    const resolved = await resolveSession({ io, flags, profiles, learnt, isLocal, isOfJob });
    const { passedOver } = resolved;
    if (passedOver.length > 0)
      messages.warn(`--profile ${flags.profile} decides the salon; not used: ${passedOver.join(', ')}.`);
    return resolved;
  });
  const session = (profile?: string) =>
    profile === undefined
      ? ownSession()
      : resolveSession({ io, flags: { ...flags, profile }, profiles, learnt, isLocal });
  const isPlain = once(async () => {
    const { plain } = await ownSession()
      .then(({ settings }) => settings)
      .catch(() => ({ plain: resolveSetting('plain', { flags, env: io.env, profile: undefined }) }));
    return plain.value;
  });
  const status = createStatusLine(io, { isQuiet: flags.quiet === true, isPlain });
  const prompts = createPrompts(io, {
    isAllowed: isSwitchedOn(settingTable.input, flags.input, io.env) && !isEnabled(io.env['CI']),
    isPlain,
    status,
  });
  const confirmationFlags = flags as ConfirmationFlags;
  const confirmation = createConfirmation({ flags: confirmationFlags, prompts, session: ownSession });
  // With --curl nothing is changed, so there is nothing to confirm.
  const isRehearsal = flags.curl === true;
  const startAgain = (outdated: Session) => (version: string) => {
    attempts.outdated = { session: outdated, version };
    return new SalonError('salon_settings_changed', 'The settings of the salon have changed meanwhile.');
  };
  let isUnattended = !io.terminal.output || (flags as ListFlags).output !== undefined;
  const openClient = async (ignoresInterrupt: boolean) => {
    const { openSalonConnection: openConnection } = await import('./connection.ts');
    const current = await ownSession();
    const connection = await openConnection({
      session: current,
      io,
      messages,
      status,
      beforeWrite: isRehearsal ? () => {} : confirmation.beforeWrite,
      showsCurl: isRehearsal,
      ignoresInterrupt,
      isUnattended: () => isUnattended,
      // What a command cleans up does not depend on settings.
      onChanged: ignoresInterrupt ? undefined : startAgain(current),
    });
    resources.defer(() => status.hide('wait'));
    return resources.use(connection).client;
  };
  const client = once(() => openClient(false));
  const salon = once(async () => {
    const { readKnownSalon } = await import('./known-salon.ts');
    return readKnownSalon(await client());
  });
  const sayOverride: CommandContext['sayOverride'] = async (name) => {
    const text = describeOverride(name, await ownSession());
    if (text !== undefined && !attempts.said.has(text)) messages.info(text);
  };
  const findZone = once(async () => {
    const current = await ownSession();
    const { settings, profileName } = current;
    await sayOverride('timeZone');
    // A profile whose salon was never asked learns the zone before it is needed.
    if (!isLocal && isUnasked(current)) throw startAgain(current)('none');
    const named = asksForZone(settings) ? readSalonSetting('timeZone', await salon()) : undefined;
    const isAssumed = named === undefined && settings.timeZone.source === 'default';
    return { zone: named ?? settings.timeZone.value, isAssumed, profileName };
  });
  const sayAssumed = once(async () => {
    const { zone, isAssumed, profileName } = await findZone();
    if (!isAssumed) return;
    const toSet = profileName
      ? `salon profiles set ${profileName} time_zone ${zone}`
      : `SALON_TIME_ZONE=${zone}`;
    messages.warn(
      `The server does not name the time zone of the salon; assuming ${zone}. To set it: ${toSet}`,
    );
  });
  const timeZone: CommandContext['timeZone'] = async ({ isShown = false } = {}) => {
    if (!isShown) await sayAssumed();
    return (await findZone()).zone;
  };
  const readClockRules = async () => {
    const { settings, profile } = await ownSession();
    return settings.credential?.source === 'profile' ? profile?.salon : salon();
  };
  const noted = new Set<number>();
  const localTimes: CommandContext['localTimes'] = {
    note: (instantMs) => void noted.add(instantMs),
    async confirm(record) {
      if (noted.size === 0 || isRehearsal) return;
      const { confirmLocalTimes } = await import('./known-salon.ts');
      const sources = { noted, io, flags: confirmationFlags, messages, prompts, timeZone };
      await confirmLocalTimes(record, { ...sources, readSalon: readClockRules });
    },
  };
  return {
    flags,
    io,
    messages,
    status,
    prompts,
    isPlain,
    session,
    withProfile: (profile) =>
      createCommandContext({ ...options, flags: { ...flags, profile }, isOfJob: true }),
    client,
    waitForService() {
      isUnattended = true;
    },
    salon,
    timeZone,
    startAgain,
    sayOverride,
    localTimes,
    cleanupClient: once(() => openClient(true)),
    profiles,
    closeAtEnd: (resource) => resources.use(resource),
    program,
    runCommand: (argv) => run(argv, io),
    confirmLocal: (question) => assertConfirmed(question, confirmationFlags, prompts),
    confirm: isRehearsal ? async () => {} : confirmation.confirm,
    async checkDryRun(write) {
      assertWritable(await ownSession());
      const dryRun = await (await client()).dryRun();
      if (dryRun === undefined) return `Dry run: nothing was sent. ${uncheckedRules}`;
      await write(dryRun);
      return 'Dry run: the server would accept this. Nothing was changed.';
    },
  };
}

/** Whether the profile was saved without a request, and nothing else names the time zone. */
function isUnasked({ profile, settings: { timeZone, credential } }: Session): boolean {
  return timeZone.source === 'default' && credential?.source === 'profile' && profile?.salon === undefined;
}

/**
 * The context of a job: its own profile, unless a flag names another one or this machine does not have it. Throws
 * `usage` if that profile belongs to another salon.
 */
export async function openJobContext<Flags>(job: Job, context: CommandContext<Flags>) {
  const isHere = job.profile !== null && (await context.profiles()).find(job.profile) !== undefined;
  const own = context.flags.profile === undefined && isHere ? context.withProfile(job.profile) : context;
  const session = await own.session();
  const origin = toServiceOrigin(session);
  if (origin !== job.origin) {
    throw new SalonError('usage', `Job ${job.id} belongs to ${job.origin}, not to ${origin}.`, {
      hint: 'Choose its salon with --profile or --base-url.',
    });
  }
  const account = findSavedAccount(session);
  if (job.account !== null && account !== undefined && account.id !== job.account) {
    throw new SalonError('usage', `Job ${job.id} belongs to a different account, not ${account.name}.`, {
      hint: 'Choose its profile with --profile.',
    });
  }
  return own;
}
