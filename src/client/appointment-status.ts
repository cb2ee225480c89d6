import { type AppointmentStatus, appointmentStatuses, slotFreeingStatuses } from '../contract/appointment.ts';
import { toIdText } from '../contract/identifiers.ts';

/** The contract's words, and those of other servers for the same. */
const statusByWord: Readonly<Record<string, AppointmentStatus>> = {
  ...Object.fromEntries(appointmentStatuses.map((status) => [status, status])),
  accepted: 'confirmed',
  checked_in: 'arrived',
  in_progress: 'in_service',
  complete: 'completed',
  done: 'completed',
  finished: 'completed',
  declined: 'cancelled',
};

/**
 * The contract's status that a server's word means, in any case and spelling: `CONFIRMED`, `Canceled`, `no-show`.
 * Undefined for any other word: such an appointment is shown with its word, and takes up its time.
 */
export function readStatus(value: unknown): AppointmentStatus | undefined {
  const word = foldStatus(value);
  if (Object.hasOwn(statusByWord, word)) return statusByWord[word];
  // Square: CANCELLED_BY_CUSTOMER.
  return word.startsWith('cancelled_') ? 'cancelled' : undefined;
}

/** A status word in the contract's spelling: `NoShow` and `no-show` are `no_show`, `CANCELED` is `cancelled`. */
export function foldStatus(value: unknown): string {
  const text = (toIdText(value) ?? '').trim();
  if (Object.hasOwn(statusByWord, text)) return text;
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^canceled(?=_|$)/, 'cancelled')
    .replace(/^noshow$/, 'no_show');
}

/** Whether an appointment of this status leaves its stylist free. */
export function freesSlot(status: unknown): boolean {
  const known = readStatus(status);
  return slotFreeingStatuses.some((freeing) => freeing === known);
}
