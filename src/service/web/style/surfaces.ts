/** Colours, type and the frame of every page. */
export const surfaceStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f7f8, #0e0e11);
  --surface: light-dark(#ffffff, #17171c);
  --raised: light-dark(#f4f4f6, #212128);
  --line: light-dark(#e3e3e8, #2c2c34);
  --control-line: light-dark(#85858f, #7b7b88);
  --text: light-dark(#18181b, #f2f2f5);
  --quiet: light-dark(#55555f, #a9a9b6);
  --accent: light-dark(#5035c4, #b5a6ff);
  --accent-strong: light-dark(#5035c4, #6a4df0);
  --accent-pressed: light-dark(#40289f, #5d41dd);
  --accent-soft: light-dark(#efecfd, #2a2350);
  --good: light-dark(#116b3a, #5fd693);
  --good-soft: light-dark(#e7f6ed, #12301f);
  --warning: light-dark(#855000, #f0bf5c);
  --warning-soft: light-dark(#fdf3df, #362708);
  --bad: light-dark(#b3201c, #ff938b);
  --bad-soft: light-dark(#fdeceb, #3d1614);
  --bad-strong: light-dark(#b3201c, #c4332e);
  --shadow: 0 1px 2px light-dark(rgb(24 24 27 / .05), rgb(0 0 0 / .4));
  --radius: 10px;
  --control-radius: 7px;
}
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 5rem }
body { margin: 0; min-height: 100vh; background: var(--page); color: var(--text);
  font: 400 .9375rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word }
h1, h2 { margin: 0; font-weight: 650; letter-spacing: -.012em; line-height: 1.25; text-wrap: balance }
h1 { font-size: 1.625rem }
h2 { font-size: 1.0625rem }
p, ul, ol, dl { margin: 0 }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px }
a:hover { text-decoration-thickness: 2px }
code, .code { font: 500 .875em/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
code { overflow-wrap: anywhere }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
h1:focus, [role='alert']:focus { outline: none }
.quiet { color: var(--quiet) }
.hidden-text { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip-link { position: absolute; left: 1rem; top: -4rem; z-index: 5; padding: .5rem 1rem; background: var(--surface);
  border: 1px solid var(--control-line); border-radius: var(--control-radius) }
.skip-link:focus { top: .75rem }

.topbar { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; height: 3.5rem; padding: 0 max(1.25rem, calc((100vw - 72rem) / 2 + 1.25rem));
  background: var(--surface); border-bottom: 1px solid var(--line) }
.brand { display: flex; align-items: center; gap: .6rem; color: var(--text); font-weight: 650; text-decoration: none; letter-spacing: -.01em }
.brand svg { display: block; flex: none; color: var(--accent) }
.topbar .account-name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet) }
.topbar .account-name::before { content: "/"; margin-right: .75rem; color: var(--control-line) }
.topbar .spring { flex: 1 }
.menu { position: fixed; inset: 3.75rem max(1rem, calc((100vw - 72rem) / 2 + 1rem)) auto auto; width: min(19rem, calc(100vw - 2rem)); max-height: calc(100vh - 5rem); overflow-y: auto;
  margin: 0; padding: .5rem; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
  box-shadow: 0 10px 30px rgb(0 0 0 / .16) }
.menu-heading { padding: .5rem .75rem; overflow-wrap: anywhere }
.menu-heading strong, .menu-heading span { display: block }
.menu h2 { padding: .75rem .75rem .25rem; font-size: .75rem; font-weight: 600; letter-spacing: .02em; color: var(--quiet) }
.menu form, .menu ul { margin: 0; padding: 0; list-style: none }
.menu hr { margin: .5rem 0; border: 0; border-top: 1px solid var(--line) }
.menu button, .menu a { display: flex; width: 100%; align-items: baseline; justify-content: space-between; gap: 1rem; min-height: 2.5rem; padding: .5rem .75rem; border: 0; border-radius: var(--control-radius);
  font: inherit; text-align: left; text-decoration: none; color: inherit; background: none; cursor: pointer }
.menu button:hover, .menu a:hover { background: var(--raised) }
.menu [aria-current] { font-weight: 600 }

.frame { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2.5rem; max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 5rem }
.navigation { position: sticky; top: 5.5rem; align-self: start; display: block; width: auto; height: auto; margin: 0; padding: 0; border: 0; color: inherit; background: none;
  max-height: calc(100vh - 6.5rem); overflow-y: auto }
.navigation h2 { padding: 0 .75rem .3rem; font-size: .75rem; font-weight: 600; letter-spacing: .02em; color: var(--quiet) }
.navigation ul { margin: 0 0 1.25rem; padding: 0; list-style: none }
.navigation li + li { margin-top: 1px }
.navigation a { display: block; padding: .45rem .75rem; border-radius: var(--control-radius); color: var(--text); text-decoration: none }
.navigation a:hover { background: light-dark(#ececf0, #1d1d23) }
.navigation a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600 }
.navigation a:focus-visible { outline-offset: -2px }
main { min-width: 0 }
main ul:not([class]) { margin: .4rem 0; padding-left: 1.25rem }
.page-header { margin-bottom: 1.5rem }
.breadcrumb ol { display: flex; flex-wrap: wrap; gap: 0 .4rem; margin: 0 0 .5rem; padding: 0; list-style: none; font-size: .8125rem; color: var(--quiet) }
.breadcrumb li + li::before { content: "›" / ""; margin-right: .4rem; color: var(--control-line) }
.breadcrumb a { color: inherit; text-decoration: none; padding: .2rem 0 }
.breadcrumb a:hover { color: var(--text); text-decoration: underline }
.button.open-navigation { display: none }
.button.open-user-menu { gap: .6rem; margin-right: -.7rem; padding-left: .4rem; white-space: nowrap }
.avatar { display: grid; place-items: center; flex: none; width: 1.75rem; height: 1.75rem; border-radius: 50%; font-size: .6875rem; font-weight: 650; color: var(--accent); background: var(--accent-soft) }
@media (max-width: 56rem) {
  .topbar { padding: 0 1rem }
  .frame { display: block; padding: 1.25rem 1rem 4rem }
  .button.open-navigation { display: inline-flex }
  .topbar .brand span, .open-user-menu .user-name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .topbar .account-name { color: var(--text); font-weight: 600 }
  .topbar .account-name::before { content: none }
  .navigation { display: none }
  .navigation:popover-open { display: block; position: fixed; inset: 3.75rem 1rem auto 1rem; max-width: none; padding: 1rem .5rem 0; background: var(--surface);
    border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 10px 30px rgb(0 0 0 / .16); max-height: calc(100vh - 5rem) }
  .navigation a { padding: .6rem .75rem }
}

.small-page { display: flex; flex-direction: column; align-items: center; min-height: 100vh; padding: 9vh 1rem 3rem }
.small-page .brand { margin-bottom: 1.75rem; font-size: 1.125rem }
.small-page main { width: min(25.5rem, 100%) }
.small-page main > .card { padding: 2rem }
.small-page h1 { font-size: 1.375rem; margin-bottom: .35rem }
.small-page .lead { margin-bottom: .5rem; color: var(--quiet) }
.small-page form > .button, .small-page .card > .button { width: 100% }
.small-page footer { margin-top: 1.5rem; font-size: .8125rem; color: var(--quiet); text-align: center }
.divider { display: flex; align-items: center; gap: .75rem; font-size: .8125rem; color: var(--quiet) }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
@media (max-width: 30rem) {
  .small-page { padding-top: 1.5rem }
  .small-page main > .card { padding: 1.25rem }
}
`;
