import type { Command } from 'commander';
import type { Call } from './call.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { ListFlags } from './options.ts';
import type { Outcome } from './outcome.ts';

/** A verb's work: flags and arguments in, something to print out. */
export type Verb<Flags, Args extends unknown[]> = (call: Call<Flags>, ...args: Args) => Promise<Outcome>;

/** Where verbs are hung into the tree: turns a verb into commander's action and prints what it answers. */
export interface Frame {
  action<Flags, Args extends unknown[]>(verb: Verb<Flags, Args>): (...given: unknown[]) => Promise<void>;
  readonly exitCode: number;
}

export interface FrameOptions {
  readonly io: Io;
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Builds the whole tree of commands. */
  readonly program: () => Promise<Command>;
}

export function createFrame({ io, run, program }: FrameOptions): Frame {
  let exitCode: number = exitCodes.done.code;
  return {
    action:
      <Flags, Args extends unknown[]>(verb: Verb<Flags, Args>) =>
      async (...given: unknown[]) => {
        // Loaded here and not above: help and version never come this far.
        const [{ createCall }, { printOutcome }] = await Promise.all([
          import('./call.ts'),
          import('./print-outcome.ts'),
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
        const outcome = await verb(call, ...args);
        exitCode = await printOutcome(outcome, call);
      },
    get exitCode() {
      return exitCode;
    },
  };
}
