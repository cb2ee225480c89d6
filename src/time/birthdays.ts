import { parseDay } from './time.ts';

/** Whether a text is a birthday: `1985-05-15`, or `--05-15` where the year is unknown, as vCard writes it. */
export function isBirthday(text: string): boolean {
  // A leap year has every day.
  return parseDay(text.replace(/^-/, '2000')) !== undefined;
}

/** Whether two birthdays may be those of one person: where one has no year, the day decides. */
export function isSameBirthday(one: string, other: string): boolean {
  const lacksYear = one.startsWith('--') || other.startsWith('--');
  return one === other || (lacksYear && one.slice(-6) === other.slice(-6));
}
