/** Settings of a profile with one value. */
export const plainSettingNames = [
  'time_zone',
  'opening_hours',
  'format',
  'timeout',
  'max_wait',
  'rate',
  'concurrency',
  'retries',
  'protected',
  'read_only',
  'plain',
] as const;

export type PlainSetting = (typeof plainSettingNames)[number];

export const networkSettingNames: readonly string[] = [
  'ca_file',
  'client_cert',
  'client_key',
  'header.<name>',
];

/** The settings to show in help: of those of a dialect, the most used. */
export const mainSettings: readonly string[] = [
  ...plainSettingNames,
  ...networkSettingNames,
  'dialect',
  'prefix',
  'page_parameter',
  'per_page_parameter',
  'rows_key',
  'total_key',
  'filter.<name>',
  'dialect.<setting>',
];

/** `page_parameter` for `pageParameter`. */
export function toSettingName(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
