import { describe, expect, it } from 'vitest';
import { decimalsOf, findCurrencyProblem } from '../../src/contract/currencies.ts';

/**
 * Code, numeric code and minor unit of every currency of ISO 4217, list one of 1 January 2026, in the order of numeric
 * codes; without the entries that are marked as funds or have no minor unit.
 */
const listOne = `
  ALL 008 2, DZD 012 2, ARS 032 2, AUD 036 2, BSD 044 2, BHD 048 3, BDT 050 2, AMD 051 2, BBD 052 2, BMD 060 2,
  BTN 064 2, BOB 068 2, BWP 072 2, BZD 084 2, SBD 090 2, BND 096 2, MMK 104 2, BIF 108 0, KHR 116 2, CAD 124 2,
  CVE 132 2, KYD 136 2, LKR 144 2, CLP 152 0, CNY 156 2, COP 170 2, KMF 174 0, CRC 188 2, CUP 192 2, CZK 203 2,
  DKK 208 2, DOP 214 2, SVC 222 2, ETB 230 2, ERN 232 2, FKP 238 2, FJD 242 2, DJF 262 0, GMD 270 2, GIP 292 2,
  GTQ 320 2, GNF 324 0, GYD 328 2, HTG 332 2, HNL 340 2, HKD 344 2, HUF 348 2, ISK 352 0, INR 356 2, IDR 360 2,
  IRR 364 2, IQD 368 3, ILS 376 2, JMD 388 2, JPY 392 0, XAD 396 2, KZT 398 2, JOD 400 3, KES 404 2, KPW 408 2,
  KRW 410 0, KWD 414 3, KGS 417 2, LAK 418 2, LBP 422 2, LSL 426 2, LRD 430 2, LYD 434 3, MOP 446 2, MWK 454 2,
  MYR 458 2, MVR 462 2, MUR 480 2, MXN 484 2, MNT 496 2, MDL 498 2, MAD 504 2, OMR 512 3, NAD 516 2, NPR 524 2,
  XCG 532 2, AWG 533 2, VUV 548 0, NZD 554 2, NIO 558 2, NGN 566 2, NOK 578 2, PKR 586 2, PAB 590 2, PGK 598 2,
  PYG 600 0, PEN 604 2, PHP 608 2, QAR 634 2, RUB 643 2, RWF 646 0, SHP 654 2, SAR 682 2, SCR 690 2, SGD 702 2,
  VND 704 0, SOS 706 2, ZAR 710 2, SSP 728 2, SZL 748 2, SEK 752 2, CHF 756 2, SYP 760 2, THB 764 2, TOP 776 2,
  TTD 780 2, AED 784 2, TND 788 3, UGX 800 0, MKD 807 2, EGP 818 2, GBP 826 2, TZS 834 2, USD 840 2, UYU 858 2,
  UZS 860 2, WST 882 2, YER 886 2, TWD 901 2, ZWG 924 2, SLE 925 2, VED 926 2, UYW 927 4, VES 928 2, MRU 929 2,
  STN 930 2, BYN 933 2, TMT 934 2, GHS 936 2, SDG 938 2, RSD 941 2, MZN 943 2, AZN 944 2, RON 946 2, TRY 949 2,
  XAF 950 0, XCD 951 2, XOF 952 0, XPF 953 0, ZMW 967 2, SRD 968 2, MGA 969 2, AFN 971 2, TJS 972 2, AOA 973 2,
  CDF 976 2, BAM 977 2, EUR 978 2, UAH 980 2, GEL 981 2, PLN 985 2, BRL 986 2`;

const facts = listOne
  .trim()
  .split(/,\s*/)
  .map((fact) => fact.split(' '))
  .map(([code = '', , decimals]) => [code, Number(decimals)] as const);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const allCodes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));

describe('a currency', () => {
  it.each(facts)('%s has %i decimals', (code, decimals) => {
    expect(decimalsOf(code)).toBe(decimals);
    expect(findCurrencyProblem('/currency', code)).toBeUndefined();
  });

  it('is in use only if ISO 4217 lists it', () => {
    const listed = facts.map(([code]) => code);
    const used = allCodes.filter((code) => findCurrencyProblem('/currency', code) === undefined);
    expect(used).toEqual(listed.toSorted());
  });

  it.each(['XXX', 'XAU', 'XDR', 'CHW', 'eur', 'EU', '', 'constructor', '__proto__'])(
    'is not "%s"',
    (code) => {
      expect(decimalsOf(code)).toBeUndefined();
      expect(findCurrencyProblem('/currency', code)).toBe(
        `/currency must be an ISO 4217 code, such as EUR; "${code}" is not.`,
      );
    },
  );
});

/** ISO 4217, list three, since 1999. */
const replaced = `
  ADP EUR, ATS EUR, BEF EUR, BGL EUR, BGN EUR, CYP EUR, DEM EUR, EEK EUR, ESP EUR, FIM EUR, FRF EUR, GRD EUR, HRK EUR,
  IEP EUR, ITL EUR, LTL EUR, LUF EUR, LVL EUR, MTL EUR, NLG EUR, PTE EUR, SIT EUR, SKK EUR, AFA AFN, ANG XCG, AZM AZN,
  BYB BYN, BYR BYN, CSD RSD, CUC CUP, GHC GHS, GWP XOF, MGF MGA, MRO MRU, MZM MZN, ROL RON, RUR RUB, SDD SDG, SLL SLE,
  SRG SRD, STD STN, TMM TMT, TPE USD, TRL TRY, VEB VES, VEF VES, YUM RSD, ZMK ZMW, ZWD ZWG, ZWL ZWG, ZWN ZWG, ZWR ZWG`
  .trim()
  .split(/,\s*/)
  .map((pair) => pair.split(' ') as [code: string, successor: string]);

describe('a withdrawn currency', () => {
  it.each(replaced)('%s is refused by the name of its successor, %s', (code, successor) => {
    expect(findCurrencyProblem('--currency', code)).toBe(
      `--currency must be an ISO 4217 code, such as ${successor}; "${code}" was withdrawn, and ${successor} replaced it.`,
    );
    expect(findCurrencyProblem('--currency', successor)).toBeUndefined();
  });

  it.each([
    ['HRK', 2],
    ['BGN', 2],
    ['ANG', 2],
    ['SLL', 2],
    ['ITL', 0],
    ['BYR', 0],
  ])('%s keeps its %i decimals, for amounts of that time', (code, decimals) => {
    expect(decimalsOf(code)).toBe(decimals);
  });

  const supported = Intl.supportedValuesOf('currency').filter((code) => !facts.some(([one]) => one === code));
  it.each(supported)('%s is refused although Intl supports it', (code) => {
    expect(findCurrencyProblem('/currency', code)).toMatch(`"${code}" `);
  });
});
