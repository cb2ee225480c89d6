import { cleanText } from '../messages/clean-text.ts';

/** Fields whose heading is not simply their name in words. */
const headings: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  start_time: 'Start',
  client_name: 'Client',
  duplicate_name: 'Duplicate',
  stylist_name: 'Stylist',
  preferred_stylist_name: 'Preferred stylist',
  tip_amount: 'Tip',
  refunded_amount: 'Refunded',
  created_at: 'Created',
  updated_at: 'Updated',
  created_by_name: 'Created by',
  last_used_at: 'Last used',
  expires_at: 'Expires',
  link_expires_at: 'Link expires',
  next_attempt_at: 'Next attempt',
  last_answer: 'Last response',
  tries: 'Attempts',
};

/** Words that are not written like others. */
const spellings: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', sms: 'SMS', api: 'API' };

/** A field's name in words, for people: `Last name` for `last_name`. Paths such as `account.name` stay as they are. */
export function toHeading(key: string): string {
  const own = Object.hasOwn(headings, key) ? headings[key] : undefined;
  if (own !== undefined) return own;
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(key)) return cleanText(key);
  const words = key.split('_').map((word) => (Object.hasOwn(spellings, word) ? spellings[word] : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A field's name within a sentence: `last name`, `stylist` for `stylist_id`. */
export function toFieldWords(key: string): string {
  const heading = toHeading(key.replace(/^((?:preferred_)?(?:client|stylist))_id$/, '$1'));
  return heading.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}

/** The heading of each column. Two that would be alike keep their field names. */
export function toHeadings(keys: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(toHeading(key), (counts.get(toHeading(key)) ?? 0) + 1);
  return new Map(
    keys.map((key) => [key, (counts.get(toHeading(key)) ?? 0) > 1 ? cleanText(key) : toHeading(key)]),
  );
}
