import type { Io } from '../io.ts';
import { cleanText } from '../print/clean-text.ts';

/** What a command says beside its data: always on standard error. */
export interface Talk {
  /** Something a person wants to know; silent with --quiet. */
  say(text: string): void;
  /** Something that may be wrong; silent with --quiet. */
  warn(text: string): void;
  /** Something for the curious: with --verbose or --debug. */
  explain(text: string): void;
  /** Requests and answers, secrets masked: with --debug. */
  trace(text: () => string): void;
}

export interface TalkLevel {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

export function createTalk(io: Pick<Io, 'stderr'>, level: TalkLevel): Talk {
  const line = (text: string) => void io.stderr.write(`${text.split('\n').map(cleanText).join('\n')}\n`);
  const silent = () => {};
  return {
    say: level.quiet ? silent : line,
    warn: level.quiet ? silent : (text) => line(`warning: ${text}`),
    explain: level.verbose || level.debug ? line : silent,
    trace: level.debug ? (text) => line(text()) : silent,
  };
}
