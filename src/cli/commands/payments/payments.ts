import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerPaymentsGet } from './get.ts';
import { registerPaymentsList } from './list.ts';
import { registerPaymentsRecord } from './record.ts';
import { registerPaymentsRefund } from './refund.ts';

export function registerPayments(payments: Command, runner: ActionRunner): void {
  registerPaymentsList(payments, runner);
  registerPaymentsGet(payments, runner);
  registerPaymentsRecord(payments, runner);
  registerPaymentsRefund(payments, runner);
}
