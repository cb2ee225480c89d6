#!/usr/bin/env bash
# hucre glues the reading of a Japanese name to the name, and makes dates of dinars and of durations.
#
# Seen with hucre 1.0.0, streamXlsxRows, three cells of valid workbooks:
#   inline text 花子 with the phonetic run ハナコ        -> "花子ハナコ"; a spreadsheet program shows 花子
#   1500 with the format [$Din.-81A] #,##0                -> the date 1904-02-08: the D of the currency is taken for a day
#   1.0416666666666667 with the format [h]:mm (25 hours)  -> the date 1900-01-01 01:00
# A guess: phonetic runs are skipped, as hucre does in shared texts; letters in brackets are no part of a date; an elapsed
# time stays a number.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" hucre@1.0.0 fflate@0.8.3 >&2
cat >"$folder/program.mjs" <<'JS'
import { strToU8, zipSync } from 'fflate';
import { streamXlsxRows } from 'hucre/xlsx';

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook with one cell; style 1 has the format. */
function toWorkbook(cell, format = 'General') {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>
      <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>
      <Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships">
      <Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${namespace}" xmlns:r="${relations}">
      <sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">
      <Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${namespace}">
      <numFmts count="1"><numFmt numFmtId="164" formatCode="${format}"/></numFmts>
      <fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
      <cellStyleXfs count="1"><xf/></cellStyleXfs>
      <cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${namespace}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

async function readCell(...workbook) {
  for await (const { values } of streamXlsxRows(toWorkbook(...workbook), { sheet: 'A' })) return JSON.stringify(values[0]);
}

console.log(await readCell('<c r="A1" t="inlineStr"><is><t>花子</t><rPh sb="0" eb="2"><t>ハナコ</t></rPh></is></c>'));
console.log(await readCell('<c r="A1" s="1"><v>1500</v></c>', '[$Din.-81A] #,##0'));
console.log(await readCell('<c r="A1" s="1"><v>1.0416666666666667</v></c>', '[h]:mm'));
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
[[ $seen == '"花子ハナコ"
"1904-02-08T00:00:00.000Z"
"1900-01-01T01:00:00.000Z"' ]]
