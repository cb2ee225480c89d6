import { Writable } from 'node:stream';
import { type CommandNode, readCommandTree } from '../../../src/cli/completion/command-tree.ts';
import type { Frame } from '../../../src/cli/frame.ts';
import { buildProgram } from '../../../src/cli/program.ts';

const idleFrame: Frame = { action: () => async () => {}, exitCode: 0, isJson: false };

/** The commands as they are now; none of them can run. */
export async function readProgramTree(): Promise<CommandNode> {
  const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
  return readCommandTree(await buildProgram({ frame: idleFrame, io: { stdout: new Writable(), terminal } }));
}
