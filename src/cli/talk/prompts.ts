import type { Readable } from 'node:stream';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { cleanText } from '../print/clean-text.ts';

/** Questions to the person at the terminal. */
export interface Prompts {
  /** Whether there is anybody to ask: standard input and error are terminals, and nobody said --no-input. */
  readonly possible: boolean;
  confirm(question: string): Promise<boolean>;
  text(question: string): Promise<string>;
  secret(question: string): Promise<string>;
}

interface Question {
  readonly type: string;
  readonly message: string;
  readonly [setting: string]: unknown;
}

/** Questions go to standard error, so that standard output stays data. The end of input is an interruption, not a yes. */
export function createPrompts(io: Io, flags: { readonly input?: boolean }): Prompts {
  const forbidden = flags.input === false || isSet(io.env['SALON_NO_INPUT']);
  const ask = async <Answer>({ message, ...question }: Question): Promise<Answer> => {
    const { default: inquirer } = await import('inquirer');
    const prompt = inquirer.createPromptModule({
      input: io.stdin as NodeJS.ReadStream,
      output: io.stderr,
      signal: io.signal,
    });
    try {
      const end = inputEnd(io.stdin);
      const asked = { ...question, name: 'answer', message: cleanText(message) };
      const { answer } = (await Promise.race([prompt([asked] as never), end])) as {
        answer: Answer;
      };
      return answer;
    } catch (cause) {
      if (!isPromptEnd(cause)) throw cause;
      throw endOfInput(cause);
    }
  };
  return {
    possible: io.terminal.input && io.terminal.messages && !forbidden,
    confirm: (question) => ask<boolean>({ type: 'confirm', message: question, default: false }),
    text: (question) => ask<string>({ type: 'input', message: question, validate: notEmpty }),
    secret: (question) => ask<string>({ type: 'password', message: question, mask: '•', validate: notEmpty }),
  };
}

/** Rejects when the terminal's input ends, Ctrl-D, which inquirer would wait over for ever. */
function inputEnd(stdin: Readable): Promise<never> {
  return new Promise((_, reject) => {
    // An answer pauses the input too, and has its turn first.
    stdin.once('pause', () => setImmediate(() => reject(endOfInput())));
  });
}

function endOfInput(cause?: unknown): SalonError {
  return new SalonError('interrupted', 'Interrupted at a question; nothing was changed.', { cause });
}

function notEmpty(answer: string): true | string {
  return answer.trim() !== '' || 'Please type something, or press Ctrl-C to stop.';
}

function isPromptEnd(cause: unknown): boolean {
  return cause instanceof Error && ['ExitPromptError', 'AbortPromptError', 'AbortError'].includes(cause.name);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}
