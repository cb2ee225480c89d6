/** How thorough a run of the tests is: `quick` between edits, `full` before a submission, `long` for hundreds of kills. */
const speed = process.env['SALON_TEST_SPEED'] ?? 'full';

export const isQuick = speed === 'quick';
export const isLong = speed === 'long';

/** The value for this run. Of a count, a quick run takes two fifths: enough for what a change usually breaks. */
export function bySpeed<Value>({ full, long }: { readonly full: Value; readonly long: Value }): Value {
  if (isLong) return long;
  return isQuick && typeof full === 'number' ? (toQuick(full) as Value) : full;
}

/** As `bySpeed`, where the long tests take as many as a full run. */
export function countBySpeed(full: number): number {
  return bySpeed({ full, long: full });
}

function toQuick(full: number): number {
  return full < 1 ? full : Math.ceil(full * 0.4);
}
