/** Writes a line, with further fields. */
export type WriteFault = (fields: { readonly repeated?: number }) => void;

/** Keeps a fault that repeats from filling the log. */
export interface RepeatedFaults {
  /** Writes the first line of a fault at once, and its repeats as one line a minute with their number. */
  note(fault: string, write: WriteFault): void;
  /** Writes what was held back. */
  close(): void;
}

interface OpenFault {
  repeats: number;
  /** Writes the latest line. */
  write: WriteFault;
  readonly timer: NodeJS.Timeout;
}

const defaultPeriodMs = 60_000;
/** Faults remembered at most; others are written as they come. */
const maxOpen = 200;

export function createRepeatedFaults(periodMs = defaultPeriodMs): RepeatedFaults {
  const open = new Map<string, OpenFault>();

  function report(fault: string, { repeats, write, timer }: OpenFault): void {
    if (repeats > 0) write({ repeated: repeats });
    clearInterval(timer);
    open.delete(fault);
  }

  return {
    note(fault, write) {
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
    close() {
      for (const [fault, known] of [...open]) report(fault, known);
    },
  };
}
