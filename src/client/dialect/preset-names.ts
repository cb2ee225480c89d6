/** The ready-made dialects, for help and choices. */
export const presetNames = [
  'square',
  'stripe',
  'spring',
  'odata',
  'postgrest',
  'jsonapi',
  'laravel',
  'django',
] as const;

export type PresetName = (typeof presetNames)[number];
