import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../contract/errors.ts';
import { pathOf } from './command-line.ts';
import { type CommandDefinition, defineCommand, definitionOf } from './flags/command-definition.ts';
import { assertGiven, type FlagTable, type FlagValues, readFlagValues } from './flags/flag.ts';
import type { GlobalFlags, ListFlags } from './flags/options.ts';
import { settingEntries } from './flags/settings.ts';
import { parseFormat } from './flags/values.ts';
import type { Io } from './io.ts';
import { exitCodes } from './messages/exit-codes.ts';
import type { CommandResult } from './output/command-result.ts';
import type { Attempts, CommandContext } from './session/command-context.ts';
import type { OutdatedSession } from './session/known-salon.ts';

/** Returns what the command prints. An argument of several words is a list. */
export type Handler<Flags = object, Args extends unknown[] = [words: readonly string[]]> = (
  context: CommandContext<Flags>,
  ...args: Args
) => Promise<CommandResult>;

/** What a handler is loaded with, before the flags are read: `resources` end with the command. */
interface HandlerStart {
  readonly io: Io;
  readonly resources: AsyncDisposableStack;
}

/** A command with what it does. The handler is loaded when it runs, and gets the flags of the table. */
type RunnableCommand<Table extends FlagTable, Args extends unknown[]> = CommandDefinition<Table> & {
  handler(start: HandlerStart): Promise<Handler<FlagValues<Table>, Args>>;
};

export interface ActionRunnerOptions {
  readonly io: Io;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Builds the command tree: what these words name of it, or all. */
  readonly program: (words?: readonly string[]) => Promise<Command>;
}

/** What commands are defined with. */
export type ActionRunner = Pick<ReturnType<typeof createActionRunner>, 'define'>;

/** Turns command handlers into commander actions and prints their results. */
export function createActionRunner({ io, run, program }: ActionRunnerOptions) {
  let exitCode: number = exitCodes.done.code;
  let isJson = false;
  const action =
    <Flags, Args extends unknown[]>(load: (start: HandlerStart) => Promise<Handler<Flags, Args>>) =>
    async (...received: unknown[]): Promise<void> => {
      const command = received.at(-1) as Command;
      assertNothingEmpty(command, io);
      await using resources = new AsyncDisposableStack();
      const handler = await load({ io, resources });
      // Not needed for help and --version.
      const [{ createCommandContext }, { printResult }] = await Promise.all([
        import('./session/command-context.ts'),
        import('./print-result.ts'),
      ]);
      const args = received.slice(0, -2) as Args;
      const texts = command.optsWithGlobals<GlobalFlags>();
      const har = texts.trace === undefined ? undefined : await import('./output/har-file.ts');
      const watchers = har === undefined ? [] : [resources.use(await har.openHarFile(texts, io)).record];
      const attempts: Attempts = { learnt: new Map(), said: new Set() };
      let isPrinted = false;
      const attempt = async (): Promise<void> => {
        attempts.outdated = undefined;
        await using opened = new AsyncDisposableStack();
        const open = (flags: object) =>
          createCommandContext<Flags & ListFlags>({
            io,
            flags: flags as GlobalFlags & Flags & ListFlags,
            watchers,
            run,
            program,
            resources: opened,
            attempts,
            // Commands on files and databases, which send no requests.
            isLocal: /^salon (?:server |sql$)/.test(pathOf(command)),
          });
        let context: CommandContext<Flags & ListFlags> | undefined;
        try {
          context = open(await readFlagValues(command));
          await assertWritableOutput(context, command);
          const result = await handler(context, ...args);
          if (attempts.outdated === undefined) {
            exitCode = await printResult(result, context);
            isPrinted = true;
          }
        } catch (error) {
          isJson = await readIsJson(context ?? open(texts));
          if (attempts.outdated === undefined) throw error;
        }
        if (attempts.outdated !== undefined && context !== undefined)
          await refresh(attempts.outdated, attempts, context);
      };
      for (let left = maxAttempts; left > 0; left -= 1) {
        await attempt();
        if (isPrinted) return;
      }
      throw new SalonError('salon_settings_changed', 'The settings of the salon have changed meanwhile.');
    };
  return {
    /** Sets all that a command is and does. */
    define<const Table extends FlagTable, Args extends unknown[]>(
      command: Command,
      definition: RunnableCommand<Table, Args>,
    ): void {
      defineCommand(command, definition).action(action(definition.handler));
    },
    get exitCode() {
      return exitCode;
    },
    /** Whether the profile sets a JSON format, so that errors are JSON too. */
    get isJson() {
      return isJson;
    },
  };
}

/** Throws `usage` for an argument or variable that is empty. A switch such as SALON_PLAIN is off where it is. */
function assertNothingEmpty(command: Command, { env }: Io): void {
  const { args, registeredArguments: known } = command;
  for (const [index, value] of args.entries())
    assertGiven(value, `The argument <${(known[index] ?? known.at(-1))?.name()}>`);
  // These use no salon.
  if (/^salon (?:server|help|completion)\b/.test(pathOf(command))) return;
  for (const [, { variable = '', type }] of settingEntries) {
    const isOurs = variable.startsWith('SALON_') && type !== 'boolean';
    if (isOurs) assertGiven(env[variable], variable, 'Give it a value, or unset it.');
  }
}

/** Settings that change with each attempt are not what one person changes. */
const maxAttempts = 4;

/** Learns the settings that the salon has now, so that the command can start again with them. */
async function refresh(outdated: OutdatedSession, { learnt }: Attempts, context: CommandContext) {
  const { refreshSalon } = await import('./session/known-salon.ts');
  const salon = await refreshSalon(outdated, context);
  learnt.set(outdated.session.profileName ?? '', salon);
}

/** Refuses an --output that cannot be written, or in no known format, before anything is sent. */
async function assertWritableOutput({ flags, io }: CommandContext<ListFlags>, command: Command) {
  const { output, excel = false } = flags;
  const { assertOutputFormat, assertShowable } = await import('./output/format.ts');
  assertShowable(flags.format, { flags, io });
  if (output === undefined) return;
  const { assertOutputPath, readOutputTarget } = await import('./output/output-file.ts');
  await assertOutputPath(output, io.cwd);
  // Pipes and devices, such as /dev/null, have no extension.
  const isFile = (await readOutputTarget(resolve(io.cwd, output))) !== undefined;
  // Commands without columns print a text, such as a calendar, which has no format.
  const printsRecords = command.options.some(({ long }) => long === '--columns');
  const otherExtensions = definitionOf(command)?.extensions ?? [];
  if (!isFile || !printsRecords || flags.json) return;
  if (flags.format !== undefined) return void parseFormat(flags.format);
  assertOutputFormat(output, { excel, otherExtensions });
}

/** False where the profile cannot be read. */
async function readIsJson(context: CommandContext): Promise<boolean> {
  try {
    const format = (await context.session()).settings.format?.value;
    return format === 'json' || format === 'ndjson';
  } catch {
    return false;
  }
}
