import { Writable } from 'node:stream';
import type { ActionRunner } from '../../../src/cli/action-runner.ts';
import { type CommandNode, readCommandTree } from '../../../src/cli/completion/command-tree.ts';
import { buildProgram } from '../../../src/cli/program.ts';

const idleFrame: ActionRunner = { action: () => async () => {}, exitCode: 0, isJson: false };

/** The commands as they are now; none of them can run. */
export async function readProgramTree(): Promise<CommandNode> {
  const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
  return readCommandTree(await buildProgram({ runner: idleFrame, io: { stdout: new Writable(), terminal } }));
}
