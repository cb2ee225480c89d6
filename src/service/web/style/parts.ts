/** Cards, tables, notices, forms and buttons. */
export const partStyle = `
.stack > * + * { margin-top: 1.25rem }
.stack > [type='hidden'] + *, .stack > [hidden] + * { margin-top: 0 }
.intro { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: .75rem 2rem }
.intro p { flex: 1 1 20rem; max-width: 42rem; color: var(--quiet) }
.card { padding: 1.25rem 1.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow) }
.card > * + * { margin-top: 1rem }
.card-header { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: .75rem 1.5rem }
.card-header > div:first-child { flex: 1 1 16rem; min-width: 0 }
.card-header p { margin-top: .25rem; color: var(--quiet) }
.card > .table-frame { margin: 1rem -1.5rem -1.25rem; border-top: 1px solid var(--line) }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem }
.empty { padding: 1.75rem 1.5rem; text-align: center; color: var(--quiet) }
.empty > * + * { margin-top: .75rem }

.table-frame { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .875rem }
th, td { padding: .7rem .75rem; text-align: left; vertical-align: baseline }
th:first-child, td:first-child { padding-left: 1.5rem }
th:last-child, td:last-child { padding-right: 1.5rem }
th { font-size: .8125rem; font-weight: 600; color: var(--quiet); white-space: nowrap }
tbody tr { border-top: 1px solid var(--line) }
td time { white-space: nowrap }
td strong { font-weight: 600 }
td .detail { display: block; color: var(--quiet) }
.machine-text { display: block; min-width: 100%; max-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; user-select: all; font-size: .6875rem; color: var(--quiet) }
@media (min-width: 72rem) { .machine-text.whole { max-width: none } }
.row-actions { text-align: right }
.row-actions .actions { justify-content: flex-end; flex-wrap: nowrap }
.pager { display: flex; justify-content: space-between; gap: 1rem }
@media (max-width: 44rem) {
  .card { padding: 1rem }
  .card > .table-frame { margin: 1rem -1rem -1rem }
  table, tbody, tr, td { display: block; width: 100% }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tbody tr { padding: .75rem 1rem }
  tbody tr:first-child { border-top: 0 }
  td, td:first-child, td:last-child { display: grid; grid-template-columns: 6.25rem minmax(0, 1fr); gap: .75rem; padding: .2rem 0; overflow-wrap: anywhere }
  td::before { content: attr(data-label); color: var(--quiet) }
  td:empty, td:has(> div:empty) { display: none }
  td:first-child { display: block; font-size: .9375rem; padding-bottom: .35rem }
  td:first-child::before { content: none }
  td time { white-space: normal }
  td.row-actions { display: block; padding-top: .6rem; text-align: left }
  td.row-actions:empty { display: none }
  td.row-actions::before { content: none }
  .row-actions .actions { justify-content: flex-start; flex-wrap: wrap }
}

.details { display: grid; grid-template-columns: minmax(8rem, 12rem) minmax(0, 1fr); gap: .55rem 1.5rem }
.details dt { color: var(--quiet) }
.details dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 30rem) {
  .details { grid-template-columns: 1fr; gap: 0 }
  .details dd { margin-bottom: .75rem }
}

.badge { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .75rem; font-weight: 600; line-height: 1.5; white-space: nowrap;
  color: var(--quiet); background: var(--raised) }
.badge.accent { color: var(--accent); background: var(--accent-soft) }
.badge.good { color: var(--good); background: var(--good-soft) }
.badge.warning { color: var(--warning); background: var(--warning-soft) }
.badge.bad { color: var(--bad); background: var(--bad-soft) }

.notice { padding: .75rem 1rem; border: 1px solid var(--control-line); border-radius: var(--control-radius); background: var(--surface) }
.notice a { color: inherit }
.notice.accent { background: var(--accent-soft); border-color: color-mix(in srgb, var(--accent) 30%, transparent) }
.notice > * + * { margin-top: .35rem }
.notice.good { background: var(--good-soft); border-color: color-mix(in srgb, var(--good) 30%, transparent) }
.notice.warning { background: var(--warning-soft); border-color: color-mix(in srgb, var(--warning) 30%, transparent) }
.notice.bad { background: var(--bad-soft); border-color: color-mix(in srgb, var(--bad) 30%, transparent) }
.notice strong, .notice h2 { font-size: .9375rem; font-weight: 650 }
.notice ul { padding-left: 1.1rem }

.secret { display: flex; align-items: stretch; gap: .5rem }
.secret input { flex: 1; min-width: 0; font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; background: var(--raised) }
.secret-list { columns: 2; column-gap: 2rem; padding: 1rem 1.25rem; list-style: none; background: var(--raised); border-radius: var(--control-radius) }
.secret-list li { padding: .15rem 0 }
.qr-code { display: block; width: 12rem; max-width: 100%; padding: .75rem; background: #fff; border: 1px solid var(--line); border-radius: var(--control-radius) }
.qr-code svg { display: block; width: 100%; height: auto }

form.stack > .field + .field { margin-top: 1.1rem }
.field > label, legend { display: block; margin-bottom: .3rem; padding: 0; font-weight: 600; font-size: .875rem }
.field .optional { font-weight: 400; color: var(--quiet) }
.hint, .field-error { margin-bottom: .4rem; font-size: .8125rem }
.hint { color: var(--quiet) }
.hint:empty, .field-error:empty { display: none }
.field-error { color: var(--bad); font-weight: 600 }
input, select, textarea { font: inherit; color: inherit }
input:not([type='checkbox'], [type='radio']), select, textarea { display: block; width: 100%; max-width: 30rem; min-height: 2.5rem; padding: .45rem .7rem;
  background-color: var(--surface); border: 1px solid var(--control-line); border-radius: var(--control-radius) }
textarea { min-height: 6rem; resize: vertical }
.small-page input, .small-page select { max-width: none }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: var(--control-radius) }
[aria-invalid='true'] { border-color: var(--bad) !important; box-shadow: inset 0 0 0 1px var(--bad) }
input[readonly] { background: var(--raised) }
input[type='checkbox'], input[type='radio'] { flex: none; width: 1.15rem; height: 1.15rem; margin: .15rem 0 0; accent-color: var(--accent-strong) }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0 }
.choices { display: grid; gap: .15rem }
.choices.two-columns { grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); column-gap: 1.5rem; max-width: 46rem }
.choice, .field > .choice { display: flex; margin: 0; font-weight: 400; font-size: inherit; gap: .6rem; padding: .3rem 0; cursor: pointer }
.choice span > span { display: block; font-size: .8125rem; color: var(--quiet) }
form:has(#role option:checked:not([value='stylist'])) .field:has(#stylist_id option[value='']:checked):not(:has(.field-error)),
form:has([name='access'][value='all']:checked) .field:has([name='scopes']):not(:has(:checked, .field-error)),
form:has(#expires option:checked:not([value='date'])) .field:has(#expires_on:is(:not([value]), [value=''])):not(:has(.field-error)) { display: none }
.filters { display: flex; flex-wrap: wrap; align-items: flex-end; gap: .75rem }
.filters .field { flex: 1 1 9rem; min-width: 0 }
.filters .field + .field { margin: 0 }
.filters.compact .field { flex-basis: 7rem }
.filters.compact input, .filters.compact select { height: 2.6rem; padding: .45rem .5rem; font-size: .875rem }
.filters .hint { flex-basis: 100%; margin: 0 }
summary { font-weight: 600; cursor: pointer }
summary + * { margin-top: 1rem }
@media (min-width: 44rem) {
  @supports selector(::details-content) {
    .unfolded > summary { display: none }
    .unfolded::details-content { display: block; content-visibility: visible }
    .unfolded > summary + * { margin-top: 0 }
  }
}

button { font: inherit }
.button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.5rem; padding: .45rem 1rem; border: 1px solid var(--control-line);
  border-radius: var(--control-radius); font-weight: 600; font-size: .875rem; line-height: 1.3; text-decoration: none; text-align: center; color: var(--text); background: var(--surface); cursor: pointer }
.button:hover { background: var(--raised) }
.button.primary { color: #fff; background: var(--accent-strong); border-color: transparent }
.button.primary:hover { background: var(--accent-pressed) }
.button.danger { color: var(--bad); border-color: color-mix(in srgb, var(--bad) 60%, transparent) }
.button.danger:hover { background: var(--bad-soft) }
.button.danger.primary { color: #fff; background: var(--bad-strong); border-color: transparent }
.button.danger.primary:hover { background: color-mix(in srgb, var(--bad-strong) 88%, #000) }
.button.small { min-height: 2rem; padding: .25rem .7rem; font-size: .8125rem }
.button.plain { border-color: transparent; background: none }
.button.plain:hover { background: var(--raised) }
.button:focus-visible { border-radius: var(--control-radius) }
[hidden] { display: none !important }
@media (pointer: coarse) { .button.small { min-height: 2.5rem } }
@media (forced-colors: active) { .badge, .button { border: 1px solid } }
`;
