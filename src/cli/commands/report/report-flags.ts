import type { PrintFlags } from '../../flags/options.ts';

export interface ReportFlags extends PrintFlags {
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  readonly period?: string;
  readonly stylist?: readonly string[];
  readonly client?: string;
  readonly status?: string;
  readonly within?: string;
}

export type ReportName = 'revenue' | 'no-shows' | 'utilisation' | 'retention';
