import type { Readable } from 'node:stream';
import inquirer from 'inquirer';
import type { Io } from '../io.ts';
import { endOfInput, type Questions } from './questions.ts';

interface Question {
  readonly type: string;
  readonly message: string;
  readonly [setting: string]: unknown;
}

/** Questions in a line that changes while it is answered. */
export function createDrawnQuestions(io: Pick<Io, 'stdin' | 'stderr' | 'signal'>): Questions {
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    const prompt = inquirer.createPromptModule({
      input: io.stdin as NodeJS.ReadStream,
      output: io.stderr,
      signal: io.signal,
    });
    try {
      const asked = prompt([{ ...question, name: 'answer' }] as never);
      const { answer } = (await Promise.race([asked, inputEnd(io.stdin)])) as { answer: Answer };
      return answer;
    } catch (cause) {
      if (!isPromptEnd(cause)) throw cause;
      throw endOfInput(cause);
    }
  };
  return {
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

function notEmpty(answer: string): true | string {
  return answer.trim() !== '' || 'Please type something, or press Ctrl-C to stop.';
}

function isPromptEnd(cause: unknown): boolean {
  return cause instanceof Error && ['ExitPromptError', 'AbortPromptError', 'AbortError'].includes(cause.name);
}
