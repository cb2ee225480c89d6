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
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
for (const element of document.querySelectorAll('time[datetime*="T"]')) {
  element.title = element.textContent;
  element.textContent = zoned.format(new Date(element.dateTime));
}

for (const element of document.querySelectorAll('[data-time-zone]')) {
  element.textContent = `your time zone, ${zoned.resolvedOptions().timeZone}`;
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
