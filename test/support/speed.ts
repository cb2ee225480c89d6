/** How thorough a run of the tests is: `quick` between edits, `full` before a submission, `long` for hundreds of kills. */
const speed = process.env['SALON_TEST_SPEED'] ?? 'full';

export const isQuick = speed === 'quick';
export const isLong = speed === 'long';

/** The value for this run; a quick one takes that of `full` if it has none. */
export function bySpeed<Value>(values: {
  readonly quick?: Value;
  readonly full: Value;
  readonly long: Value;
}): Value {
  const { full, quick = full, long } = values;
  return { quick, full, long }[speed] ?? full;
}
