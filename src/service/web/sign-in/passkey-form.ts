import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { beginPasskeySignIn, type PasskeyResponse } from '../../identity/passkeys.ts';
import { hidden, renderFields } from '../form-fields.ts';
import { button, form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import type { WebPage } from '../web-page.ts';
import { returnPath } from './signed-in.ts';

/** `/sign-in/passkey-options`: asked for by a script when the button is pressed, because they expire. */
export const passkeyOptionsPage: WebPage<PageVisit> = {
  render: async (visit) => ({ json: await beginPasskeySignIn(visit, { origin: visit.origin }) }),
};

const fields = { ...returnPath, ticket: hidden, response: hidden };

/** A button that asks the browser for a passkey. Scripts show it: without them, there are no passkeys. */
export function renderPasskeyForm(
  visit: PageVisit,
  { returnTo, label }: { returnTo: string; label: string },
): Html {
  const values = { return_to: returnTo, ticket: '', response: '' };
  const body = html`${renderFields(fields, { values })}${button({ label })}`;
  return html`<div data-passkey="get" data-options-url="/sign-in/passkey-options" class="stack" hidden><p class="divider">or</p>
${form(visit, { name: 'passkey', body })}<p class="field-error" role="alert" data-passkey-error></p></div>`;
}

/** What the form `passkey` sends. */
export function readPasskeyForm({ origin }: PageVisit, sent: URLSearchParams): PasskeyResponse {
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
