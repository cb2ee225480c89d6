import { SalonError } from '../../contract/errors.ts';

/** A limit that lasts longer than the patience, and when it goes on; `refusal` is what the server said of it. */
export function limitReached(waitMs: number, nowMs: number, refusal?: SalonError): SalonError {
  const said = refusal?.message ?? 'The requests that may be sent for now are used up.';
  return new SalonError(
    'rate_limited',
    `${said} It can go on in ${renderWait(waitMs)}, ${clockTime(nowMs + waitMs)}.`,
    {
      status: refusal?.status,
      hint: 'Go on then, or allow more time for waiting.',
      requestId: refusal?.requestId,
      retryable: true,
      retryAfterMs: waitMs,
      members: refusal?.members,
      cause: refusal,
    },
  );
}

/** A wait in words: `40 s`, `23 min`, `2 h 5 min`. */
export function renderWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

function clockTime(atMs: number): string {
  return `at ${new Date(atMs).toISOString().slice(11, 19)} UTC`;
}
