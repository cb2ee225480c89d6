/** How long everything that is issued lasts, in seconds. */
export const lifetimes = {
  accessToken: 3600,
  /** Of a grant without new tokens, and of a refresh token. */
  idle: 30 * 86_400,
  code: 60,
  deviceCode: 900,
  /** How long a person may take to sign in and to agree. */
  interaction: 1800,
} as const;
