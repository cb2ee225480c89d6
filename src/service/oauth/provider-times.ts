/**
 * The `iat` and `exp` of a stored row for oidc-provider, which reads the system clock: as far from its now as the row
 * is from the service's.
 */
export function toProviderTimes(
  { created_ms, expires_ms }: { created_ms: number; expires_ms: number },
  now: Date,
): { iat: number; exp: number } {
  const providerNow = Math.floor(Date.now() / 1000);
  const toSeconds = (ms: number) => providerNow + Math.ceil((ms - now.getTime()) / 1000);
  return { iat: toSeconds(created_ms), exp: toSeconds(expires_ms) };
}
