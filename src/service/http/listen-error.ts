import { SalonError } from '../../contract/errors.ts';

/** Explains why a server cannot listen; returns other errors unchanged. */
export function toListenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new SalonError('usage', `Port ${port} on ${host} is already in use.`, {
        hint: 'Choose another port, or 0 for any free one.',
        cause: error,
      });
    case 'EACCES':
      return new SalonError('usage', `No permission to use port ${port} on ${host}.`, {
        hint: 'Choose a port above 1023.',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SalonError('usage', `${host} is not an address of this machine.`, {
        hint: 'Use 127.0.0.1 for local access only, or 0.0.0.0 for all addresses.',
        cause: error,
      });
    default:
      return error;
  }
}
