/** How thorough a run of the tests is: `quick` between edits, `full` before a submission, `long` for hundreds of kills. */
const speed = process.env['SALON_TEST_SPEED'] ?? 'full';

export const isQuick = speed === 'quick';
export const isLong = speed === 'long';

/** The value for this run; a quick one takes that of `full`. */
export function bySpeed<Value>({ full, long }: { readonly full: Value; readonly long: Value }): Value {
  return isLong ? long : full;
}

/** How many random cases to try. A quick run tries two fifths: enough for what a change usually breaks. */
export function countBySpeed(full: number, long = full): number {
  return isQuick ? Math.ceil(full * 0.4) : bySpeed({ full, long });
}
