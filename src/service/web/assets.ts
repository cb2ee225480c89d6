import { createHash } from 'node:crypto';
import { partStyle } from './style/parts.ts';
import { surfaceStyle } from './style/surfaces.ts';

/**
 * Runs in the browser, on every page. Without it, all pages work, except passkeys. It asks nothing of other origins and
 * writes no HTML.
 */
const pageScript = `'use strict';

// A secret that is shown once: selected when it gets the focus, copied by its button.
for (const field of document.querySelectorAll('[data-select]')) {
  field.addEventListener('focus', () => field.select());
}
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    const status = document.querySelector('[data-copied]');
    try {
      await navigator.clipboard.writeText(source.value ?? source.innerText);
      status.textContent = 'Copied.';
    } catch {
      status.textContent = 'The browser does not allow copying. Select the text and copy it.';
    }
  });
}

// A password may be looked at; it is never sent as visible text.
for (const button of document.querySelectorAll('[data-show]')) {
  const field = document.getElementById(button.dataset.show);
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
    button.firstChild.textContent = isShown ? 'Hide' : 'Show';
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  field.form.addEventListener('submit', () => show(false));
}

// Times in the reader's time zone; the service sends UTC.
const zoned = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit',
});
for (const element of document.querySelectorAll('time[datetime*="T"]')) {
  element.title = element.textContent;
  element.textContent = zoned.format(new Date(element.dateTime));
}

for (const element of document.querySelectorAll('[data-time-zone]')) {
  element.textContent = 'your time zone, ' + zoned.resolvedOptions().timeZone;
}

// Passkeys: the browser's response is put into the form, which is sent like any other.
for (const part of document.querySelectorAll('[data-passkey]')) {
  const form = part.querySelector('form');
  const status = part.querySelector('[data-passkey-error]');
  const isCreation = part.dataset.passkey === 'create';
  part.hidden = false;
  form.addEventListener('submit', async (event) => {
    if (form.elements.response.value !== '') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    status.textContent = '';
    try {
      const response = isCreation ? await createPasskey(part) : await usePasskey(part, form);
      form.elements.response.value = JSON.stringify(response.toJSON());
      form.requestSubmit();
    } catch (error) {
      status.textContent = toPasskeyError(error, isCreation);
    }
  });
}
async function usePasskey(part, form) {
  const answer = await fetch(part.dataset.optionsUrl);
  const { options, ticket } = await answer.json();
  form.elements.ticket.value = ticket;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}
function createPasskey(part) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(part.dataset.options));
  return navigator.credentials.create({ publicKey });
}
function toPasskeyError(error, isCreation) {
  if (typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') {
    return 'This browser does not support passkeys.';
  }
  if (error.name === 'InvalidStateError') return 'This device has a passkey for you already.';
  if (error.name === 'NotAllowedError') return isCreation ? 'No passkey was added.' : 'No passkey was used.';
  return 'The browser could not use a passkey. Try again.';
}

// A form is sent once, however often its button is pressed; again when the page comes back from the history.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = 'yes';
  });
}
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  for (const field of document.querySelectorAll('input[name="response"]')) field.value = '';
});
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="#5035c4"/><path d="M17.6 8.6c-1-1.2-2.6-1.9-4.4-1.9-2.5 0-4.3 1.2-4.3 3.1 0 4.3 8.6 1.9 8.6 6.3 0 2-1.9 3.2-4.5 3.2-2 0-3.8-.8-4.9-2.2" fill="none" stroke="#fff" stroke-width="2.3" stroke-linecap="round"/></svg>`;

const mediaTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

export const assets = {
  style: createAsset('pages', 'css', `${surfaceStyle}${partStyle}`),
  script: createAsset('pages', 'js', pageScript),
  icon: createAsset('icon', 'svg', icon),
};

/** A file that pages load. Its name changes with its text, so browsers keep it for good. */
function createAsset(name: string, extension: keyof typeof mediaTypes, text: string) {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/assets/${name}-${digest}.${extension}`, mediaType: mediaTypes[extension], text };
}
