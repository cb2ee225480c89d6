/** The style of printed calendars. Colours are printed even where a browser leaves backgrounds out; borders always are. */
export const paperStyle = `* { box-sizing: border-box; }
body { margin: 0; font: 8pt/1.25 system-ui, "Liberation Sans", Arial, sans-serif; color: #111;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
section { break-after: page; display: flex; flex-direction: column; }
section:last-child { break-after: auto; }
.landscape section { height: 188mm; }
header { display: flex; align-items: baseline; gap: 5mm; margin-bottom: 2mm; }
h1 { font-size: 14pt; margin: 0; white-space: nowrap; }
header p { margin: 0; color: #555; }
.grid { flex: 1; display: flex; min-height: 0; border: .2mm solid #999; }
.times { width: 11mm; flex: none; }
.column { flex: 1; min-width: 0; border-left: .2mm solid #999; }
.column, .times { display: flex; flex-direction: column; }
.grid h2 { font-size: 9pt; height: 6mm; line-height: 6mm; margin: 0; padding: 0 1mm; text-align: center;
  border-bottom: .2mm solid #999; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
h2 small { font-weight: normal; color: #666; }
.track { flex: 1; position: relative; min-height: 0; margin: 1.5mm 0; }
.times span { position: absolute; right: 1mm; transform: translateY(-50%); font-size: 7.5pt; color: #444; }
.track i { position: absolute; left: 0; right: 0; border-top: .15mm solid #ddd; }
.block { position: absolute; overflow: hidden; padding: .2mm .8mm; font-size: 7.5pt; line-height: 3.1mm;
  background: #eaf5ea; border: .2mm solid #777; border-left: 1.2mm solid #2e7d32; }
.block time { font-variant-numeric: tabular-nums; }
.block p { margin: 0; }
.block b { display: block; }
.two-line p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.one-line { white-space: nowrap; text-overflow: ellipsis; padding-top: 0; padding-bottom: 0; }
.one-line p, .two-line b, .one-line b { display: inline; }
.two-line p { display: block; }
.block em { font-size: 6.5pt; text-transform: uppercase; font-style: normal; border: .2mm solid #777; padding: 0 .5mm; }
.is-pending { background: #fff8dc; border-left-color: #b8860b; }
.is-arrived, .is-in_service { background: #e3f2fd; border-left-color: #1565c0; }
.is-completed { background: #f2f2f2; border-left-color: #777; }
.is-cancelled, .is-no_show { background: #fff; border-left-color: #c62828; }
.is-cancelled b, .is-no_show b, tr.is-cancelled td, tr.is-no_show td { text-decoration: line-through; }
.list { font-size: 10pt; }
.list header { display: block; border-bottom: .4mm solid #333; padding-bottom: 2mm; }
.list h1 { font-size: 18pt; }
.list h2 { font-size: 12pt; margin: 5mm 0 1mm; break-after: avoid; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 1.6mm 2mm 1.6mm 0; vertical-align: top; border-bottom: .15mm solid #bbb; }
th { font-size: 8pt; color: #555; }
thead { display: table-header-group; }
tr { break-inside: avoid; background: none; }
td:nth-child(1) { white-space: nowrap; font-weight: bold; font-variant-numeric: tabular-nums; }
td:nth-child(4), td:nth-child(5) { white-space: nowrap; }
td:last-child { width: 22%; }
@media screen {
  body { background: #ddd; padding: 5mm; }
  section { background: #fff; margin: 0 auto 5mm; padding: 10mm; width: 297mm; }
  .landscape section { height: 208mm; }
  .portrait section { width: 210mm; min-height: 297mm; }
}
`;
