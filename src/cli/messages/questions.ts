import { SalonError } from '../../contract/errors.ts';

/** A way to ask somebody. Each rejects with `interrupted` at the end of input. */
export interface Questions {
  confirm(question: string): Promise<boolean>;
  text(question: string): Promise<string>;
  secret(question: string): Promise<string>;
}

export function endOfInput(cause?: unknown): SalonError {
  return new SalonError('interrupted', 'Interrupted at a question; nothing was changed.', { cause });
}
