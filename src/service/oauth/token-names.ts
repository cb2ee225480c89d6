import type { Provider } from 'oidc-provider';
import type { Environment } from '../domain/context.ts';
import { createToken } from '../identity/random-token.ts';

interface TokenPrototype {
  generateTokenId(): string;
}

/** Gives tokens a prefix by which people, logs and scanners of leaked secrets know them. */
export function nameTokens(provider: Provider, environment: Environment): void {
  const prefixes = [
    [provider.AccessToken, 'slt_'],
    [provider.ClientCredentials, 'slt_'],
    [provider.RefreshToken, 'slr_'],
  ] as const;
  for (const [model, prefix] of prefixes) {
    const prototype = model.prototype as unknown as TokenPrototype;
    const generate = prototype.generateTokenId;
    prototype.generateTokenId = function () {
      // The provider's own ID is thrown away, but making it sets the token's format.
      generate.call(this);
      return createToken(environment, prefix).text;
    };
  }
}
