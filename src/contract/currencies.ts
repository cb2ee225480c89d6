/**
 * Currency codes by their number of decimals. Source: ISO 4217, list one of 1 January 2026, without funds, metals and
 * test codes. Intl has other decimals: none for HUF, IDR, IQD and thirty more.
 */
const current = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
    CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD
    KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
    NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'UYW',
} as const;

/** Codes withdrawn since 1999, by what replaced them. Source: ISO 4217, list three. */
const withdrawn = {
  ...{ AFN: 'AFA', AZN: 'AZM', BYN: 'BYB BYR', CUP: 'CUC', GHS: 'GHC', MGA: 'MGF', MRU: 'MRO', MZN: 'MZM' },
  ...{ RON: 'ROL', RSD: 'CSD YUM', RUB: 'RUR', SDG: 'SDD', SLE: 'SLL', SRD: 'SRG', STN: 'STD', TMT: 'TMM' },
  ...{ TRY: 'TRL', USD: 'TPE', VES: 'VEB VEF', XCG: 'ANG', XOF: 'GWP', ZMW: 'ZMK', ZWG: 'ZWD ZWL ZWN ZWR' },
  EUR: 'ADP ATS BEF BGL BGN CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK',
} as const;

const withdrawnWithoutDecimals = 'ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE ROL TPE TRL'.split(' ');

interface Currency {
  readonly decimals: number;
  /** The currency that replaced a withdrawn one. */
  readonly successor?: string;
}

let currencies: ReadonlyMap<string, Currency> | undefined;

function findCurrency(code: string): Currency | undefined {
  currencies ??= new Map<string, Currency>([
    ...Object.entries(withdrawn).flatMap(([successor, codes]) =>
      codes.split(' ').map((former) => {
        return [former, { decimals: withdrawnWithoutDecimals.includes(former) ? 0 : 2, successor }] as const;
      }),
    ),
    ...Object.entries(current).flatMap(([decimals, codes]) =>
      codes.split(/\s+/).map((one) => [one, { decimals: Number(decimals) }] as const),
    ),
  ]);
  return currencies.get(code);
}

/** The number of decimals of a currency, or of one that amounts were in before it was withdrawn; else undefined. */
export function decimalsOf(currency: string): number | undefined {
  return findCurrency(currency)?.decimals;
}

/** Why nothing can be paid in a currency, as a sentence about `subject`; undefined for one that is in use. */
export function findCurrencyProblem(subject: string, code: string): string | undefined {
  const known = findCurrency(code);
  if (known !== undefined && known.successor === undefined) return undefined;
  const problem = known ? `was withdrawn, and ${known.successor} replaced it` : 'is not';
  return `${subject} must be an ISO 4217 code, such as ${known?.successor ?? 'EUR'}; "${code}" ${problem}.`;
}
