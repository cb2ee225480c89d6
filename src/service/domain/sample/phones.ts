import type { SeededRandom } from './random.ts';

interface NumberRange {
  readonly start: string;
  /** Digits after the start. */
  readonly digits: number;
}

type Ranges = readonly [NumberRange, ...NumberRange[]];

/** Ranges that France, Britain, Germany and North America reserve for fiction. */
const french: Ranges = [
  { start: '+3319900', digits: 4 },
  { start: '+3326191', digits: 4 },
  { start: '+3335301', digits: 4 },
  { start: '+3346571', digits: 4 },
  { start: '+3353649', digits: 4 },
  { start: '+3363998', digits: 4 },
];
const others: Ranges = [
  { start: '+447700900', digits: 3 },
  { start: '+442079460', digits: 3 },
  { start: '+441134960', digits: 3 },
  { start: '+441214960', digits: 3 },
  { start: '+441314960', digits: 3 },
  { start: '+493023125', digits: 3 },
  { start: '+498999998', digits: 3 },
  { start: '+120255501', digits: 2 },
];

/** A phone number that hardly any other client of the salon has. */
export function createPhone(random: SeededRandom, index: number): string {
  const { start, digits } = random.pick(random.chance(0.75) ? french : others);
  // A prime, so that every number of a range is used before one repeats.
  return `${start}${String((index * 7_919) % 10 ** digits).padStart(digits, '0')}`;
}
