import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../web/html.ts';
import { renderSmallPage } from '../web/layout.ts';
import { toPolicy } from '../web/page-response.ts';

/** What a person reads who was sent here by a request that must not be answered to the app. */
const sentences: Readonly<Record<string, string>> = {
  invalid_client: 'This app is not registered. It may have been removed.',
  invalid_redirect_uri: "The app's redirect URI is not registered.",
};

/** Shows an error to a person instead of sending it to an address that may be an attacker's. */
export function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  const sentence = sentences[error] ?? toSentence(error_description ?? error);
  ctx.type = 'html';
  ctx.set('content-security-policy', toPolicy());
  ctx.body = renderSmallPage({
    title: 'The app cannot be connected',
    lead: sentence,
    body: html`<p>Go back to the app and try again. If it happens again, tell the app's developers: <code>${error}</code></p>`,
  });
}

function toSentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
