/** An error as logged. */
interface LoggedError {
  readonly [member: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

// Pino's number for `error`.
const errorLevel = 50;

/**
 * Creates the options of Pino for a log that writes an error which repeats once a minute, with the number of repeats.
 * `flush` writes the last lines.
 */
export function createLogOptions() {
  const faults = createRepeatedFaults();
  return {
    flush: faults.close,
    options: {
      serializers: { err: toLoggedError },
      hooks: {
        logMethod(this: unknown, line: unknown[], write: (...line: unknown[]) => void, level: number): void {
          const { fields, text } = parseLine(line);
          if (level < errorLevel && fields['err'] === undefined) {
            write.apply(this, line);
            return;
          }
          faults.note(toFaultName(fields, text), (more) => write.apply(this, [{ ...fields, ...more }, text]));
        },
      },
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The forms of a call: a text, an error, or fields, the last two with or without a text. */
function parseLine([first, second]: readonly unknown[]): { readonly fields: Fields; readonly text: string } {
  const text = typeof second === 'string' ? second : '';
  if (typeof first === 'string') return { fields: {}, text: first };
  if (first instanceof Error) return { fields: { err: first }, text: text || first.message };
  return { fields: { ...(first as object) }, text };
}

function toFaultName({ err, reason }: Fields, text: string): string {
  return JSON.stringify([text, reason, err instanceof Error ? [readCode(err), err.message] : err]);
}

/** Leaves out other members: those of a database driver may quote a row. */
function toLoggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  const { name, message, stack = '', cause } = error;
  const code = readCode(error);
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined ? {} : { cause: toLoggedError(cause) }),
  };
}

function readCode(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

/** Writes a line, with further fields. */
type WriteFault = (fields: { readonly repeated?: number }) => void;

interface OpenFault {
  repeats: number;
  /** Writes the latest line. */
  write: WriteFault;
  readonly timer: NodeJS.Timeout;
}

const periodMs = 60_000;
/** Faults remembered at most; others are written as they come. */
const maxOpen = 200;

/** Keeps a fault that repeats from filling the log. */
export function createRepeatedFaults() {
  const open = new Map<string, OpenFault>();

  function report(fault: string, { repeats, write, timer }: OpenFault): void {
    if (repeats > 0) write({ repeated: repeats });
    clearInterval(timer);
    open.delete(fault);
  }

  return {
    /** Writes the first line of a fault at once, and its repeats as one line a minute with their number. */
    note(fault: string, write: WriteFault) {
      const known = open.get(fault);
      if (known !== undefined) {
        known.repeats += 1;
        known.write = write;
        return;
      }
      write({});
      if (open.size >= maxOpen) return;
      const timer = setInterval(() => {
        const current = open.get(fault);
        if (current === undefined) return;
        if (current.repeats === 0) report(fault, current);
        else {
          current.write({ repeated: current.repeats });
          current.repeats = 0;
        }
      }, periodMs).unref();
      open.set(fault, { repeats: 0, write, timer });
    },
    /** Writes what was held back. */
    close() {
      for (const [fault, known] of [...open]) report(fault, known);
    },
  };
}
