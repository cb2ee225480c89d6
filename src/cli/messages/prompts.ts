import { cleanText } from '../../text/clean-text.ts';
import type { Io } from '../io.ts';
import { isBack } from './errors.ts';
import type { QuestionPrompts } from './plain-prompts.ts';
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
      const opened = (await isPlain())
        ? (await import('./plain-prompts.ts')).createPlainPrompts(io, hasBack)
        : (await import('./inquirer-prompts.ts')).createInquirerPrompts(io, hasBack);
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
