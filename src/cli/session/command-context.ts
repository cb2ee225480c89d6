import type { Command } from 'commander';
import type { SalonClient } from '../../client/client.ts';
import type { Io } from '../io.ts';
import { createMessages, type Messages } from '../messages/messages.ts';
import { createPrompts, type Prompts } from '../messages/prompts.ts';
import { createStatusLine, type StatusLine } from '../messages/status-line.ts';
import { assertConsent, type ConsentFlags, createConsent } from './consent.ts';
import type { ProfileStore } from './profiles.ts';
import { readSession, type Session } from './session.ts';
import { type GlobalFlags, readPlain } from './settings.ts';

/** What a verb gets: its flags, and everything costly as a function, so that help and local commands load nothing. */
export interface CommandContext<Flags = object> {
  readonly flags: GlobalFlags & Flags;
  readonly io: Io;
  readonly messages: Messages;
  readonly status: StatusLine;
  readonly prompts: Prompts;
  /** Whether a screen reader reads what people are shown; what the profile says counts where it can be read. */
  isPlain(): Promise<boolean>;
  /** The session of this call's profile, or of another one named. */
  session(profileName?: string): Promise<Session>;
  /** The same call in another profile. */
  inProfile(name: string): CommandContext<Flags>;
  client(): Promise<SalonClient>;
  /** A client that goes on sending after an interrupt, for a command that has something to put away then. */
  lastingClient(): Promise<SalonClient>;
  profiles(): Promise<ProfileStore>;
  /** Keeps something open until what the verb answers is printed. */
  keep<Resource extends AsyncDisposable>(resource: Resource): Resource;
  /** The whole tree of commands. */
  program(): Promise<Command>;
  /** Runs another command in this process and this world, as the tour of the demo does. */
  runAlso(argv: readonly string[]): Promise<number>;
  /** Asks before something that cannot be taken back on this machine. Throws `confirmation_required`. */
  consentHere(question: string): Promise<void>;
  /** Asks before a change of the session's salon, as its profile demands. Throws `confirmation_required`. */
  consent(question: string): Promise<void>;
}

export interface CommandContextOptions<Flags> {
  readonly io: Io;
  readonly flags: GlobalFlags & Flags;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  readonly program: () => Promise<Command>;
  /** Closed when the call is over. */
  readonly resources: AsyncDisposableStack;
}

export function createCommandContext<Flags>({
  io,
  flags,
  run,
  program,
  resources,
}: CommandContextOptions<Flags>): CommandContext<Flags> {
  const messages = createMessages(io, {
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    debug: flags.debug === true || Boolean(io.env['SALON_DEBUG']),
  });
  const profiles = once(async () => (await import('./profiles.ts')).openProfileStore(io));
  const ownSession = once(() => readSession({ io, flags, profiles }));
  const session = (profile?: string) =>
    profile === undefined ? ownSession() : readSession({ io, flags: { ...flags, profile }, profiles });
  const isPlain = once(() => asksForPlain({ flags, io, session: ownSession }));
  const status = createStatusLine(io, { isQuiet: flags.quiet === true, isPlain });
  const prompts = createPrompts(io, { mayAsk: flags.input !== false, isPlain });
  const consentFlags = flags as ConsentFlags;
  const consent = createConsent({ flags: consentFlags, prompts, session: ownSession });
  const openClient = async (outlivesInterrupt: boolean) => {
    const { openConnection } = await import('./connection.ts');
    const opened = await openConnection({
      session: await ownSession(),
      io,
      messages,
      status,
      beforeWrite: consent.beforeWrite,
      outlivesInterrupt,
      profiles,
    });
    resources.defer(() => status.hide('wait'));
    return resources.use(opened).client;
  };
  return {
    flags,
    io,
    messages: messages,
    status,
    prompts,
    isPlain,
    session,
    inProfile: (name) =>
      createCommandContext<Flags>({ io, flags: { ...flags, profile: name }, run, program, resources }),
    client: once(() => openClient(false)),
    lastingClient: once(() => openClient(true)),
    profiles,
    keep: (resource) => resources.use(resource),
    program,
    runAlso: (argv) => run(argv, io),
    consentHere: (question) => assertConsent(question, consentFlags, prompts),
    consent: consent.ask,
  };
}

async function asksForPlain({
  flags,
  io,
  session,
}: Pick<CommandContext, 'flags' | 'io' | 'session'>): Promise<boolean> {
  try {
    return (await session()).settings.plain.value;
  } catch {
    return readPlain({ flags, env: io.env, profile: undefined }).value;
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
