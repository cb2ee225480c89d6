import { type Html, type HtmlContent, html } from './html.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad';

/** The first lines of a page, below its heading: what the page is for, and its main actions to the right. */
export function intro({ lead, actions }: { lead?: HtmlContent; actions?: HtmlContent }): Html {
  return html`<div class="intro">${lead && html`<p>${lead}</p>`}${actions && actionRow(actions)}</div>`;
}

export interface Section {
  readonly title: string;
  readonly lead?: HtmlContent;
  readonly body?: HtmlContent;
  /** Buttons or links beside the title. */
  readonly actions?: HtmlContent;
}

/** A card with a heading. */
export function section({ title, lead, body, actions }: Section): Html {
  return html`<section class="card">
<div class="card-header"><div><h2>${title}</h2>${lead && html`<p>${lead}</p>`}</div>${actions && actionRow(actions)}</div>
${body}
</section>`;
}

interface Table {
  /** Says what the rows are; read out, but not shown. */
  readonly caption: string;
  readonly columns: readonly string[];
  /** The title of a last column with buttons: read out, but not shown. */
  readonly actions?: string;
  /** The cells of each row. The first names the row. */
  readonly rows: readonly (readonly HtmlContent[])[];
  /** Shown instead of a table without rows. */
  readonly empty: HtmlContent;
}

/** A table; on a narrow screen every row is a list. In a section, it fills the width of the card. */
export function table({ caption, columns, actions, rows, empty }: Table): Html {
  if (rows.length === 0) return html`<div class="table-frame"><div class="empty">${empty}</div></div>`;
  const heads = columns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`);
  const lastHead =
    actions && html`<th role="columnheader" scope="col"><span class="hidden-text">${actions}</span></th>`;
  const body = rows.map((cells) => {
    const filled = columns.map(
      (title, index) => html`<td role="cell" data-label="${title}"><div>${cells[index]}</div></td>`,
    );
    const buttons = cells[columns.length];
    const lastCell =
      actions && html`<td role="cell" class="row-actions">${buttons && actionRow(buttons)}</td>`;
    return html`<tr role="row">${filled}${lastCell}</tr>\n`;
  });
  // The roles keep the table's meaning where its parts are displayed as blocks.
  return html`<div class="table-frame"><table role="table">
<caption class="hidden-text">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}${lastHead}</tr></thead>
<tbody role="rowgroup">
${body}</tbody>
</table></div>`;
}

/** Terms and their values. */
export function detailList(details: readonly (readonly [term: string, value: HtmlContent])[]): Html {
  return html`<dl class="details">${details.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Buttons in a row. */
export function actionRow(actions: HtmlContent): Html {
  return html`<div class="actions">${actions}</div>`;
}

/** A short status, such as "Expired". */
export function badge(text: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

export interface Notice {
  readonly tone: Tone;
  readonly title?: string;
  readonly body?: HtmlContent;
}

/** A message in the page. */
export function notice({ tone, title, body }: Notice): Html {
  return html`<div class="notice ${tone}">${title && html`<strong>${title}</strong>`}${body && html`<div>${body}</div>`}</div>`;
}

interface ShownOnce {
  /** What it is, such as "API key". */
  readonly label: string;
  readonly value: string;
  /** By default that it is shown only now. */
  readonly hint?: HtmlContent;
}

/** A secret that cannot be shown again, with a button that copies it. */
export function shownOnce({ label, value, hint }: ShownOnce): Html {
  return html`<div class="notice good">
<div class="field"><label for="shown-once">${label}</label>
<p class="hint" id="shown-once-hint">${hint ?? 'Copy it now: it is not shown again.'}</p>
<div class="secret"><input id="shown-once" value="${value}" readonly autocomplete="off" spellcheck="false" aria-describedby="shown-once-hint" data-select>
<button type="button" class="button" data-copy="shown-once" hidden>Copy<span class="hidden-text"> ${label}</span></button></div>
<p class="hint" role="status" data-copied></p></div></div>`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** A moment in UTC; scripts show it in the reader's time zone. `none` is shown when there is no moment. */
export function time(moment: string | null, none = 'Never'): Html {
  if (moment === null) return html`<span class="quiet">${none}</span>`;
  const date = new Date(moment);
  return html`<time datetime="${date.toISOString()}">${dayFormat.format(date)}, ${timeFormat.format(date)} UTC</time>`;
}

/** The day of a moment in UTC. */
export function day(moment: string | null): Html {
  if (moment === null) return html`<span class="quiet">Never</span>`;
  const date = new Date(moment);
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${dayFormat.format(date)}</time>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** A link that looks like a button. */
export function linkButton({ href, label, isPrimary, isSmall, about }: LinkButton): Html {
  const kind = `button${isPrimary ? ' primary' : ''}${isSmall ? ' small' : ''}`;
  return html`<a class="${kind}" href="${href}">${label}${hiddenAbout(about)}</a>`;
}

interface LinkButton {
  readonly href: string;
  readonly label: string;
  readonly isPrimary?: boolean;
  readonly isSmall?: boolean;
  /** Tells equal labels apart when read out, such as the name of the row. */
  readonly about?: string;
}

/** Text that is read out behind a label, but not shown. */
export function hiddenAbout(about: string | undefined): Html {
  return html`${about && html`<span class="hidden-text"> ${about}</span>`}`;
}

/** Links to the pages before and after of a long list. */
export function pager({
  previous,
  next,
}: {
  previous?: string | undefined;
  next?: string | undefined;
}): Html {
  if (previous === undefined && next === undefined) return html``;
  const link = (href: string | undefined, label: string) =>
    href === undefined ? html`<span></span>` : html`<a class="button" href="${href}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">${link(previous, 'Previous')}${link(next, 'Next')}</nav>`;
}
