export type { Reports, ResultRow } from './bulk/apply/results.ts';
export {
  type AppliedEdit,
  type ApplyOptions,
  type BulkEdits,
  type BulkEditsOptions,
  createBulkEdits,
  type PlannedEdit,
  type ResumeOptions,
  type RunStart,
  type SelectedEdit,
  type SheetEdit,
} from './bulk/bulk-edits.ts';
export { type DetectOptions, detectSheetForm } from './bulk/input/detect-sheet.ts';
export type { EditOperation } from './bulk/input/edit-fields.ts';
export { readSheet } from './bulk/input/read-sheet.ts';
export type { OutcomeCounts } from './bulk/jobs/journal.ts';
export type { Budgets } from './bulk/plan/check-plan.ts';
export type { CheckedSheet } from './bulk/plan/open-sheet.ts';
export type { BookingOptions } from './bulk/plan/plan-bookings.ts';
export { openPlan, type Plan } from './bulk/plan/plan-file.ts';
export type {
  AccountIdentity,
  PlanCounts,
  PlanHead,
  PlannedRow,
  Refusal,
  SheetSource,
} from './bulk/plan/plan-format.ts';
export {
  type PlannedChange,
  type PlanPreview,
  type RefusedRow,
  readPreview,
  toChanges,
} from './bulk/plan/plan-preview.ts';
export type { RecordEdit, SelectedRecords } from './bulk/plan/plan-records.ts';
export type { SheetInput } from './bulk/plan/plan-sheet.ts';
export type { RowProblem, SheetForm, SheetRow } from './bulk/sheet/sheet-form.ts';
export { type ClientOptions, createClient, type SalonClient } from './client/client.ts';
export type { Dialect } from './client/dialect/dialect.ts';
export { parseDialect } from './client/dialect/parse-dialect.ts';
export type { ClientEvent } from './client/events.ts';
export type { Credential } from './client/http/credential.ts';
export type { ApiResponse } from './client/http/decode.ts';
export type { TlsSettings } from './client/http/http-connection.ts';
export { type ProxySettings, readProxySettings } from './client/http/proxy.ts';
export type { QueryValues } from './client/http/request-path.ts';
export type { ConsistencyReport } from './client/pagination/consistency.ts';
export type { Page, ResumePoint } from './client/pagination/page.ts';
export type { PagedList } from './client/pagination/paginate.ts';
export type { RateLimit } from './client/rate-limit/rate-limit-headers.ts';
export type { AppointmentCollection, BookingResult } from './client/resources/appointments.ts';
export type { ChangePage, ChangeReader } from './client/resources/changes.ts';
export type { ClientCollection, MergeOptions, NewMerge } from './client/resources/clients.ts';
export type { Collection } from './client/resources/collection.ts';
export type { ApiKeyCollection, StylistCollection } from './client/resources/collections.ts';
export type { ListOptions } from './client/resources/list.ts';
export type { PaymentCollection, RefundOptions } from './client/resources/payments.ts';
export type { Tagged, Written } from './client/resources/response-record.ts';
export type { EventTypes, WebhookCollection } from './client/resources/webhooks.ts';
export type { ClientConditions } from './client/selection/client-conditions.ts';
export {
  type ClientSelection,
  type SelectionFacts,
  type SelectionOptions,
  selectClients,
} from './client/selection/select-clients.ts';
export type {
  Appointment,
  AppointmentChange,
  AppointmentQuery,
  NewAppointment,
} from './contract/appointment.ts';
export type { Change, ChangeKind } from './contract/changes.ts';
export type { Client, ClientChange, ClientQuery, NewClient } from './contract/client.ts';
export type { ClientMerge, ReversedMerge } from './contract/client-merging.ts';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryQuery,
  Redelivery,
  RedeliveryCount,
} from './contract/delivery.ts';
export type { Me } from './contract/endpoints.ts';
export { SalonError, type SalonErrorCode, type Violation } from './contract/errors.ts';
export type {
  BookingEvent,
  ClientChangeEvent,
  ClientRemovalEvent,
  EventType,
  PaymentEvent,
  SalonEvent,
  WebhookTestEvent,
} from './contract/events.ts';
export type { NewPayment, Payment, PaymentQuery } from './contract/payment.ts';
export type { NewStylist, Stylist, StylistChange, StylistQuery } from './contract/stylist.ts';
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedSecret,
  Webhook,
  WebhookChange,
  WebhookQuery,
} from './contract/webhook.ts';
export { ExactNumber } from './text/json.ts';
export type { RefusalReason, SchemeName } from './webhooks/schemes.ts';
export type { WebhookHeaders } from './webhooks/signature.ts';
export { type VerifyOptions, verifyWebhook } from './webhooks/verify.ts';
