/** The part of google-libphonenumber that the tests use. */
declare module 'google-libphonenumber' {
  interface Phone {
    getCountryCode(): number;
  }
  interface Util {
    getSupportedRegions(): string[];
    getExampleNumberForType(region: string, type: number): Phone | null;
    getCountryCodeForRegion(region: string): number;
    getNationalSignificantNumber(phone: Phone): string;
    getNddPrefixForRegion(region: string, stripNonDigits: boolean): string | null;
    parse(text: string): Phone;
    format(phone: Phone, format: number): string;
    formatOutOfCountryCallingNumber(phone: Phone, region: string): string;
  }
  const google: {
    readonly PhoneNumberFormat: Readonly<Record<'E164' | 'INTERNATIONAL' | 'NATIONAL' | 'RFC3966', number>>;
    readonly PhoneNumberType: Readonly<Record<'FIXED_LINE', number>>;
    readonly PhoneNumberUtil: { getInstance(): Util };
  };
  export = google;
}
