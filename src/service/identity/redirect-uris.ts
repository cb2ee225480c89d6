const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Why a redirect URI cannot be registered, in one sentence; undefined when it can. Codes are sent there, so it must be
 * one certain place: over https, on the person's own device, or in an app that owns a scheme (RFC 8252).
 */
export function findRedirectProblem(uri: string, type: 'confidential' | 'public'): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || !/^[!-~]+$/.test(uri)) return 'It is not an absolute URI.';
  if (uri.includes('#')) return 'It must not have a fragment.';
  if (url.username !== '' || url.password !== '') return 'It must not contain a user name or password.';
  if (uri.includes('*')) return 'It must not contain a wildcard. Register each address.';
  // It is compared as a text, and browsers would follow it to its normal form.
  if (url.href !== uri && url.href !== `${uri}/`) return `Write it in its normal form: ${url.href}`;
  const isLoopback = loopbackHosts.includes(url.hostname);
  switch (url.protocol) {
    case 'https:':
      return isLoopback ? 'Use http for a loopback address.' : undefined;
    case 'http:':
      return isLoopback ? undefined : 'Use https; http is for loopback addresses only.';
    default:
      if (!url.protocol.includes('.')) {
        return 'Its scheme must be https, or a domain that you own in reverse, such as com.example.app.';
      }
      return type === 'public' ? undefined : 'Only public clients can use a custom scheme.';
  }
}
