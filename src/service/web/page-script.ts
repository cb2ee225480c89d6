/**
 * Runs in the browser, on every page. Without it, all pages work, except passkeys. It asks nothing of other origins and
 * writes no HTML.
 */
export const pageScript = `'use strict';

// A secret that is shown once: selected when it gets the focus, copied by its button.
for (const field of document.querySelectorAll('[data-select]')) {
  field.addEventListener('focus', () => field.select());
}
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    const told = document.querySelector('[data-copied]');
    try {
      await navigator.clipboard.writeText(source.value ?? source.innerText);
      told.textContent = 'Copied.';
    } catch {
      told.textContent = 'The browser does not allow copying. Select the text and copy it.';
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

// A form is sent once, however often its button is pressed; again when the page comes back from the history.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = 'yes';
  });
}
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
`;
