import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { beginPasskeySignIn, type PasskeyResponse } from '../../identity/passkey-sign-in.ts';
import { button, form, hiddenField } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { returnField } from './signed-in.ts';

const passkeyForm = 'passkey';

/** `/sign-in/passkey-options`: asked for by a script when the button is pressed, because they expire. */
export const passkeyOptionsPage: WebPage = {
  render: async ({ context, origin }) => ({ json: await beginPasskeySignIn(context, { origin }) }),
};

/** A button that asks the browser for a passkey. Scripts show it: without them, there are no passkeys. */
export function renderPasskeyForm({
  csrf,
  returnTo,
  label,
}: {
  csrf: Html;
  returnTo: string;
  label: string;
}): Html {
  const body = html`${hiddenField(returnField, returnTo)}${hiddenField('ticket', '')}${hiddenField('response', '')}
${button({ label })}`;
  return html`<div data-passkey="get" data-options-url="/sign-in/passkey-options" class="stack" hidden><p class="divider">or</p>
${form({ name: passkeyForm, csrf, body })}<p class="field-error" role="alert" data-passkey-error></p></div>`;
}

/** What the form sends; undefined for another form. */
export function readPasskeyForm({ origin }: PageVisit, sent: URLSearchParams): PasskeyResponse | undefined {
  if (sent.get('form') !== passkeyForm) return undefined;
  const response = parsePasskeyResponse<AuthenticationResponseJSON>(sent.get('response') ?? '');
  return { origin, ticket: sent.get('ticket') ?? '', response };
}

/** The response of a browser. It is not checked here: that is what its signature is for. */
export function parsePasskeyResponse<Response>(text: string): Response {
  try {
    return JSON.parse(text);
  } catch {
    return {} as Response;
  }
}
