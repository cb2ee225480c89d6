import type { Io } from '../io.ts';
import { cleanText } from '../output/clean-text.ts';

/** What a command says beside its data: always on standard error. */
export interface Messages {
  /** Something a person wants to know; silent with --quiet. */
  info(text: string): void;
  /** Something that may be wrong; silent with --quiet. */
  warn(text: string): void;
  /** Something for the curious: with --verbose or --debug. */
  verbose(text: string): void;
  /** Requests and answers, secrets masked: with --debug. */
  debug(text: () => string): void;
}

export interface MessageLevel {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

export function createMessages(io: Pick<Io, 'stderr'>, level: MessageLevel): Messages {
  const line = (text: string) => void io.stderr.write(`${text.split('\n').map(cleanText).join('\n')}\n`);
  const silent = () => {};
  return {
    info: level.quiet ? silent : line,
    warn: level.quiet ? silent : (text) => line(`warning: ${text}`),
    verbose: level.verbose || level.debug ? line : silent,
    debug: level.debug ? (text) => line(text()) : silent,
  };
}
