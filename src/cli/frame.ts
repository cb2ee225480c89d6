import type { Command } from 'commander';
import type { Call } from './call.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { ListFlags } from './flags/options.ts';
import type { Outcome } from './output/outcome.ts';

/** A verb's work: flags and arguments in, something to print out. */
export type Verb<Flags, Args extends unknown[]> = (call: Call<Flags>, ...args: Args) => Promise<Outcome>;

/** Where verbs are hung into the tree: turns a verb into commander's action and prints what it answers. */
export interface Frame {
  action<Flags, Args extends unknown[]>(verb: Verb<Flags, Args>): (...given: unknown[]) => Promise<void>;
  readonly exitCode: number;
  /** Whether the profile asks for a JSON format, so that errors are JSON too. */
  readonly isJson: boolean;
}

export interface FrameOptions {
  readonly io: Io;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Builds the whole tree of commands. */
  readonly program: () => Promise<Command>;
}

export function createFrame({ io, run, program }: FrameOptions): Frame {
  let exitCode: number = exitCodes.done.code;
  let isJson = false;
  return {
    action:
      <Flags, Args extends unknown[]>(verb: Verb<Flags, Args>) =>
      async (...given: unknown[]) => {
        // Loaded here and not above: help and version never come this far.
        const [{ createCall }, { printOutcome }] = await Promise.all([
          import('./call.ts'),
          import('./output/print-outcome.ts'),
        ]);
        const command = given.at(-1) as Command;
        const args = given.slice(0, -2) as Args;
        await using resources = new AsyncDisposableStack();
        const call = createCall<Flags & ListFlags>({
          io,
          flags: command.optsWithGlobals(),
          run,
          program,
          resources,
        });
        try {
          await assertPlace(call);
          const outcome = await verb(call, ...args);
          exitCode = await printOutcome(outcome, call);
        } catch (error) {
          isJson = await asksForJson(call);
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
async function assertPlace({ flags, io }: Call<ListFlags>): Promise<void> {
  if (flags.output === undefined) return;
  const { assertOutputPlace } = await import('./output/output-place.ts');
  await assertOutputPlace(flags.output, io.cwd);
}

/** What flags and profile say about the format; no more than a guess where they cannot be read. */
async function asksForJson(call: Call): Promise<boolean> {
  try {
    const format = (await call.session()).settings.format?.value;
    return format === 'json' || format === 'ndjson';
  } catch {
    return false;
  }
}
