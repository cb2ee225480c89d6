import type { Machine, RunOptions, RunResult } from './io.ts';

/**
 * A transcript is a session as a person would see it:
 *   `$ salon …`  a command            `< text`  its standard input, a line each
 *   `! text`     standard error       `? 6`     its exit code, when it is not 0
 * and every other line is standard output. `…` stands for any text in a line, a line of `…` alone for any
 * lines. `<name>` takes a word the first time and must be the same word afterwards, in commands too.
 */
interface Step {
  readonly line: number;
  readonly command: string;
  readonly stdin: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exitCode: number;
}

function parseTranscript(text: string): readonly Step[] {
  const steps: { -readonly [Key in keyof Step]: Step[Key] }[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('#')) return;
    if (line.startsWith('$ salon ')) {
      steps.push({ line: index + 1, command: line.slice(8), stdin: [], stdout: [], stderr: [], exitCode: 0 });
      return;
    }
    const step = steps.at(-1);
    if (step === undefined || line === '') return;
    if (line.startsWith('! ')) step.stderr = [...step.stderr, line.slice(2)];
    else if (line.startsWith('< ')) step.stdin = [...step.stdin, line.slice(2)];
    else if (line.startsWith('? ')) step.exitCode = Number(line.slice(2));
    else step.stdout = [...step.stdout, line];
  });
  return steps;
}

/** Runs a transcript on a machine and returns the differences, each with its line. */
export async function runTranscript(
  text: string,
  machine: Machine,
  world: RunOptions = {},
): Promise<readonly string[]> {
  const words = new Map<string, string>();
  const differences: string[] = [];
  for (const step of parseTranscript(text)) {
    const command = step.command.replace(/<(\w+)>/g, (whole, name: string) => words.get(name) ?? whole);
    const stdin = step.stdin.length === 0 ? {} : { stdin: `${step.stdin.join('\n')}\n` };
    const ran = await machine.salon(splitWords(command), { ...world, ...stdin });
    differences.push(...compare(step, ran, words));
  }
  return differences;
}

function compare(step: Step, ran: RunResult, words: Map<string, string>): readonly string[] {
  const found: string[] = [];
  if (ran.exitCode !== step.exitCode) found.push(`exit code ${ran.exitCode}, not ${step.exitCode}`);
  if (!matches(step.stdout, ran.stdout, words)) found.push(`standard output:\n${ran.stdout}`);
  if (!matches(step.stderr, ran.stderr, words)) found.push(`standard error:\n${ran.stderr}`);
  return found.map(
    (what) =>
      `line ${step.line}, $ salon ${step.command}: ${what}${ran.exitCode === 0 ? '' : `\n${ran.stderr}`}`,
  );
}

function matches(expected: readonly string[], actual: string, words: Map<string, string>): boolean {
  const names: string[] = [];
  const pattern = expected
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${toPattern(line, words, names)}\\n`))
    .join('');
  const found = new RegExp(`^${pattern}$`, 'u').exec(
    actual
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (found === null) return false;
  for (const [index, name] of names.entries()) words.set(name, found[index + 1] ?? '');
  return true;
}

function toPattern(line: string, words: ReadonlyMap<string, string>, names: string[]): string {
  return line
    .split(/(<\w+>|…)/)
    .map((part) => {
      if (part === '…') return '.*';
      const name = /^<(\w+)>$/.exec(part)?.[1];
      if (name === undefined) return RegExp.escape(part);
      const known = words.get(name);
      if (known !== undefined) return RegExp.escape(known);
      const earlier = names.indexOf(name);
      if (earlier >= 0) return `\\${earlier + 1}`;
      names.push(name);
      return '([A-Za-z0-9_]+)';
    })
    .join('');
}

/** Words as a shell splits them: white space, single and double quotes. */
export function splitWords(command: string): readonly string[] {
  const words = command.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double ?? ''),
  );
}
