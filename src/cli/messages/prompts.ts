import { setTimeout } from 'node:timers/promises';
import { cleanText } from '../../text/clean-text.ts';
import type { Io } from '../io.ts';
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
import type { StatusLine } from './status-line.ts';

/** Questions to the person at the terminal. */
export interface Prompts extends QuestionPrompts {
  /** Whether standard input and error are terminals and prompts are not turned off. */
  readonly isInteractive: boolean;
  /** Whether Esc goes back to a question before, for the hint below choices. */
  hasBack: boolean;
  /**
   * Asks one question after the other; at Esc, the one before once more. `ask` then runs again from its start, with the
   * answers before that one, so it changes nothing before its last question. At the first question Esc rejects. What
   * `goOn` asks is not repeated, and Esc that it leaves to its caller goes back to the last question of `ask`.
   */
  inTurn<Asked, Result = Asked>(
    ask: () => Promise<Asked>,
    goOn?: (asked: Asked) => Promise<Result>,
  ): Promise<Result>;
}

export interface PromptOptions {
  /** Whether prompts are not turned off. */
  readonly isAllowed: boolean;
  /** Whether the prompts are for a screen reader. */
  readonly isPlain: () => Promise<boolean>;
  /** Shows nothing while a question is open. */
  readonly status: Pick<StatusLine, 'mute'>;
}

/** The answers of questions that are asked in turn: asked again from the start, they have those before the last one. */
class TurnAnswers {
  readonly #answers: unknown[] = [];
  #given = 0;

  /** Whether Esc can go back to an earlier question. */
  get hasEarlier(): boolean {
    return this.#given > 0;
  }

  /** The answer that this question has already, or a new one. */
  async next<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#given === this.#answers.length) this.#answers.push(await ask());
    this.#given += 1;
    return this.#answers[this.#given - 1] as Answer;
  }

  /** Forgets the last answer, to ask from the start. Returns false if there is none. */
  goBack(): boolean {
    this.#given = 0;
    return this.#answers.splice(-1).length > 0;
  }
}

/** Prompts are written to standard error, so that standard output stays data. */
export function createPrompts(io: Io, { isAllowed, isPlain, status }: PromptOptions): Prompts {
  let turn: TurnAnswers | undefined;
  const ask = async <Answer>(put: (prompts: QuestionPrompts) => Promise<Answer>): Promise<Answer> => {
    const askNow = async () => {
      const hasBack = prompts.hasBack || turn?.hasEarlier === true;
      const open = (await isPlain()) ? createPlainPrompts(io, hasBack) : createInquirerPrompts(io, hasBack);
      const opened = await open;
      await io.discardTyped();
      using _muted = status.mute();
      return await put(opened);
    };
    return turn === undefined ? askNow() : turn.next(askNow);
  };
  const prompts: Prompts = {
    isInteractive: io.terminal.input && io.terminal.messages && isAllowed,
    hasBack: false,
    async inTurn<Asked, Result>(
      askAll: () => Promise<Asked>,
      goOn = async (asked: Asked) => asked as unknown as Result,
    ) {
      if (turn !== undefined) return goOn(await askAll());
      const { hasBack } = prompts;
      const answers = new TurnAnswers();
      for (;;) {
        turn = answers;
        try {
          const asked = await askAll();
          turn = undefined;
          prompts.hasBack = hasBack || answers.hasEarlier;
          return await goOn(asked);
        } catch (error) {
          if (!isBack(error) || !answers.goBack()) throw error;
        } finally {
          turn = undefined;
          prompts.hasBack = hasBack;
        }
      }
    },
    confirm: (question) => ask((one) => one.confirm(cleanText(question))),
    text: (question, options) => ask((one) => one.text(cleanText(question), options)),
    secret: (question, options) => ask((one) => one.secret(cleanText(question), options)),
    choose: (question, choices) => ask((one) => one.choose(cleanText(question), choices)),
    search: (question, options) => ask((one) => one.search(cleanText(question), options)),
  };
  return prompts;
}

async function createInquirerPrompts(
  io: Pick<Io, 'stdin' | 'stderr' | 'signal'>,
  hasBack: boolean,
): Promise<QuestionPrompts> {
  const { default: inquirer } = await import('inquirer');
  const ask = async <Answer>(question: object): Promise<Answer> => {
    const [back, end] = [new AbortController(), new AbortController()];
    // Ctrl-D pauses the input, which inquirer does not notice. An answer does too; it is handled first.
    const onPause = () => setImmediate(() => end.abort());
    const onKey = (_text: unknown, key?: { readonly name?: string }) => {
      if (key?.name === 'escape') back.abort();
    };
    io.stdin.on('keypress', onKey).once('pause', onPause);
    const prompt = inquirer.createPromptModule({
      input: io.stdin as NodeJS.ReadStream,
      output: io.stderr,
      signal: AbortSignal.any([io.signal, back.signal, end.signal]),
    });
    try {
      return ((await prompt([{ ...question, name: 'answer' }] as never)) as { answer: Answer }).answer;
    } catch (cause) {
      if (!isPromptEnd(cause)) throw cause;
      throw createCancelError(back.signal.aborted ? wentBack : cause);
    } finally {
      io.stdin.off('keypress', onKey).off('pause', onPause);
    }
  };
  const keysHelp = `↑↓ to move, ⏎ to choose, Esc to ${hasBack ? 'go back' : 'cancel'}`;
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
        theme: { style: { keysHelpTip: () => keysHelp } },
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
        theme: { style: { keysHelpTip: () => `Type to search, ${keysHelp}` } },
      });
      return chosen;
    },
  };
}

const searchPageSize = 12;
/** A search starts after this long without typing. */
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

function isPromptEnd(cause: unknown): boolean {
  return cause instanceof Error && ['ExitPromptError', 'AbortPromptError', 'AbortError'].includes(cause.name);
}
