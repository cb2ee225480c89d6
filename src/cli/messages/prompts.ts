import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Io, isEnabled } from '../io.ts';
import { cleanText } from './clean-text.ts';
import { createCancelError, isBack, wentBack } from './errors.ts';
import {
  createPlainPrompts,
  emptyAnswer,
  explainTyped,
  type QuestionPrompts,
  renderChoice,
  type SearchQuestion,
  type TextQuestion,
} from './plain-prompts.ts';

/** Questions to the person at the terminal. */
export interface Prompts extends QuestionPrompts {
  /** Whether standard input and error are terminals and prompts are not turned off. */
  readonly isInteractive: boolean;
}

export interface PromptOptions {
  /** False with --no-input. */
  readonly isAllowed: boolean;
  /** Whether the prompts are for a screen reader. */
  readonly isPlain: () => Promise<boolean>;
}

/** Prompts are written to standard error, so that standard output stays data. */
export function createPrompts(io: Io, { isAllowed, isPlain }: PromptOptions): Prompts {
  const isForbidden = !isAllowed || isEnabled(io.env['SALON_NO_INPUT']);
  const open = async () => ((await isPlain()) ? createPlainPrompts(io) : createInquirerPrompts(io));
  return {
    isInteractive: io.terminal.input && io.terminal.messages && !isForbidden,
    confirm: async (question) => (await open()).confirm(cleanText(question)),
    text: async (question, options) => (await open()).text(cleanText(question), options),
    secret: async (question, options) => (await open()).secret(cleanText(question), options),
    choose: async (question, choices) => (await open()).choose(cleanText(question), choices),
    search: async (question, options) => (await open()).search(cleanText(question), options),
  };
}

/** Asks one question after the other. Esc goes back to the one before; at the first one it rejects. */
export async function askInTurn<Answer>(
  questions: readonly ((answers: readonly Answer[]) => Promise<Answer>)[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let ask = questions[0]; ask !== undefined; ask = questions[answers.length]) {
    try {
      answers.push(await ask(answers));
    } catch (error) {
      if (!isBack(error) || answers.length === 0) throw error;
      answers.pop();
    }
  }
  return answers;
}

interface Question {
  readonly type: string;
  readonly message: string;
  readonly [setting: string]: unknown;
}

async function createInquirerPrompts(io: Pick<Io, 'stdin' | 'stderr' | 'signal'>): Promise<QuestionPrompts> {
  const { default: inquirer } = await import('inquirer');
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    const back = new AbortController();
    const onKey = (_text: unknown, key?: { readonly name?: string }) => {
      if (key?.name === 'escape') back.abort();
    };
    io.stdin.on('keypress', onKey);
    const prompt = inquirer.createPromptModule({
      input: io.stdin as NodeJS.ReadStream,
      output: io.stderr,
      signal: AbortSignal.any([io.signal, back.signal]),
    });
    try {
      const answering = prompt([{ ...question, name: 'answer' }] as never);
      const { answer } = (await Promise.race([answering, rejectAtEnd(io.stdin)])) as { answer: Answer };
      return answer;
    } catch (cause) {
      if (!isPromptEnd(cause)) throw cause;
      throw createCancelError(back.signal.aborted ? wentBack : cause);
    } finally {
      io.stdin.off('keypress', onKey);
    }
  };
  const toCheck =
    ({ validate, isOptional = false }: Pick<TextQuestion, 'validate' | 'isOptional'>) =>
    (answer: string) => {
      if (answer.trim() === '') return isOptional || emptyAnswer;
      return validate?.(answer.trim()) ?? true;
    };
  return {
    confirm: (question) => ask<boolean>({ type: 'confirm', message: question, default: false }),
    async text(question, { suggestion, ...check } = {}) {
      const input = { type: 'input', message: question, validate: toCheck(check) };
      return (await ask<string>({ ...input, ...(suggestion ? { default: suggestion } : {}) })).trim();
    },
    secret: (question, check = {}) =>
      ask<string>({ type: 'password', message: question, mask: '•', validate: toCheck(check) }),
    choose: (question, choices) =>
      ask<string>({
        ...{ type: 'select', message: question, choices, pageSize: choices.length },
        theme: { style: { keysHelpTip: () => '↑↓ to move, ⏎ to choose, Esc to go back' } },
      }),
    async search<Value>(question: string, { find, isRemote = false }: SearchQuestion<Value>) {
      const explain = (error: unknown) => [new inquirer.Separator(explainTyped(error))];
      const search = createSearch(find, isRemote ? typingPauseMs : 0);
      const source: typeof search = (...typed) => search(...typed).catch(explain);
      const { chosen } = await ask<Found<Value>>({
        type: 'search',
        message: question,
        source,
        pageSize: searchPageSize,
        theme: { style: { keysHelpTip: () => 'Type to search, ↑↓ to move, ⏎ to choose, Esc to go back' } },
      });
      return chosen;
    },
  };
}

const searchPageSize = 12;
/** A search starts once nobody has typed for this long. */
const typingPauseMs = 150;

/** Inquirer would preselect a value of undefined, as the default that was not given. */
interface Found<Value> {
  readonly chosen: Value;
}

/** Searches once typing pauses, and each text once. Without a pause, Enter right after the last letter counts. */
function createSearch<Value>(find: SearchQuestion<Value>['find'], pauseMs: number) {
  const labels = new Map<string, string>();
  const known = new Map<string, Promise<readonly object[]>>();
  const search = async (typed: string, signal: AbortSignal) => {
    const found = await find(typed, signal);
    return found.map((choice) => {
      const name = renderChoice(choice);
      // Tab types the whole line of a choice.
      labels.set(name, choice.label);
      return { value: { chosen: choice.value }, name, short: cleanText(choice.label) };
    });
  };
  return async (term = '', { signal }: { readonly signal: AbortSignal }) => {
    const typed = labels.get(term) ?? term.trim();
    if (pauseMs > 0 && typed !== '' && !known.has(typed)) await setTimeout(pauseMs, undefined, { signal });
    const found = known.get(typed) ?? search(typed, signal);
    known.set(typed, found);
    found.catch(() => known.delete(typed));
    return found;
  };
}

/** Rejects at the end of the terminal's input (Ctrl-D), which inquirer does not notice. */
function rejectAtEnd(stdin: Readable): Promise<never> {
  return new Promise((_, reject) => {
    // An answer pauses the input too; it is handled first.
    stdin.once('pause', () => setImmediate(() => reject(createCancelError())));
  });
}

function isPromptEnd(cause: unknown): boolean {
  return cause instanceof Error && ['ExitPromptError', 'AbortPromptError', 'AbortError'].includes(cause.name);
}
