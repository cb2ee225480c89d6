import type { Command } from 'commander';
import type { ListFlags } from './flags/options.ts';
import type { Io } from './io.ts';
import { exitCodes } from './messages/exit-codes.ts';
import type { CommandResult } from './output/command-result.ts';
import type { CommandContext } from './session/command-context.ts';

/** A verb's work: flags and arguments in, something to print out. */
export type CommandHandler<Flags, Args extends unknown[]> = (
  context: CommandContext<Flags>,
  ...args: Args
) => Promise<CommandResult>;

/** Where verbs are hung into the tree: turns a verb into commander's action and prints what it answers. */
export interface ActionRunner {
  action<Flags, Args extends unknown[]>(
    verb: CommandHandler<Flags, Args>,
  ): (...given: unknown[]) => Promise<void>;
  readonly exitCode: number;
  /** Whether the profile asks for a JSON format, so that errors are JSON too. */
  readonly isJson: boolean;
}

export interface ActionRunnerOptions {
  readonly io: Io;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Builds the whole tree of commands. */
  readonly program: () => Promise<Command>;
}

export function createActionRunner({ io, run, program }: ActionRunnerOptions): ActionRunner {
  let exitCode: number = exitCodes.done.code;
  let isJson = false;
  return {
    action:
      <Flags, Args extends unknown[]>(verb: CommandHandler<Flags, Args>) =>
      async (...given: unknown[]) => {
        // Loaded here and not above: help and version never come this far.
        const [{ createCommandContext: createCall }, { printResult }] = await Promise.all([
          import('./session/command-context.ts'),
          import('./print-result.ts'),
        ]);
        const command = given.at(-1) as Command;
        const args = given.slice(0, -2) as Args;
        await using resources = new AsyncDisposableStack();
        const context = createCall<Flags & ListFlags>({
          io,
          flags: command.optsWithGlobals(),
          run,
          program,
          resources,
        });
        try {
          await assertPlace(context);
          const outcome = await verb(context, ...args);
          exitCode = await printResult(outcome, context);
        } catch (error) {
          isJson = await asksForJson(context);
          throw error;
        }
      },
    get exitCode() {
      return exitCode;
    },
    get isJson() {
      return isJson;
    },
  };
}

/** A file that cannot be is refused before anything is sent. */
async function assertPlace({ flags, io }: CommandContext<ListFlags>): Promise<void> {
  if (flags.output === undefined) return;
  const { assertOutputPath } = await import('./output/output-file.ts');
  await assertOutputPath(flags.output, io.cwd);
}

/** What flags and profile say about the format; no more than a guess where they cannot be read. */
async function asksForJson(context: CommandContext): Promise<boolean> {
  try {
    const format = (await context.session()).settings.format?.value;
    return format === 'json' || format === 'ndjson';
  } catch {
    return false;
  }
}
