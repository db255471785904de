import type * as z from 'zod';

/**
 * Every handler, by the path of its file below `functions/`. Types only: the constructs get a handler's environment
 * from here. An entry without a file does not compile, and `test/cdk/handlers.test.ts` checks that every name matches
 * its path.
 */
interface Handlers {
  'accounts/anonymous-tokens/anonymous-tokens': typeof import('../functions/accounts/anonymous-tokens/anonymous-tokens.handler.ts');
  'accounts/apps/apps': typeof import('../functions/accounts/apps/apps.handler.ts');
  'accounts/audit/audit': typeof import('../functions/accounts/audit/audit.handler.ts');
  'accounts/customers/customers': typeof import('../functions/accounts/customers/customers.handler.ts');
  'accounts/data-tokens/data-tokens': typeof import('../functions/accounts/data-tokens/data-tokens.handler.ts');
  'accounts/erasure/erase-customers': typeof import('../functions/accounts/erasure/erase-customers.handler.ts');
  'accounts/erasure/erasures': typeof import('../functions/accounts/erasure/erasures.handler.ts');
  'accounts/management-keys/management-keys': typeof import('../functions/accounts/management-keys/management-keys.handler.ts');
  'accounts/people/me': typeof import('../functions/accounts/people/me.handler.ts');
  'accounts/people/people': typeof import('../functions/accounts/people/people.handler.ts');
  'accounts/tenants/accounts': typeof import('../functions/accounts/tenants/accounts.handler.ts');
  'accounts/tenants/erase-accounts': typeof import('../functions/accounts/tenants/erase-accounts.handler.ts');
  'accounts/users/users': typeof import('../functions/accounts/users/users.handler.ts');
  'console/serving/console': typeof import('../functions/console/serving/console.handler.ts');
  'console/sign-in/sign-in-limits': typeof import('../functions/console/sign-in/sign-in-limits.handler.ts');
  'conversions/billing/announcements/announce-changes': typeof import('../functions/conversions/billing/announcements/announce-changes.handler.ts');
  'conversions/billing/announcements/sweep-announcements': typeof import('../functions/conversions/billing/announcements/sweep-announcements.handler.ts');
  'conversions/convert/convert': typeof import('../functions/conversions/convert/convert.handler.ts');
  'conversions/billing/credentials/keys': typeof import('../functions/conversions/billing/credentials/keys.handler.ts');
  'conversions/billing/credentials/oauth-clients': typeof import('../functions/conversions/billing/credentials/oauth-clients.handler.ts');
  'conversions/enrich/enrich': typeof import('../functions/conversions/enrich/enrich.handler.ts');
  'conversions/erasure/erase-accounts': typeof import('../functions/conversions/erasure/erase-accounts.handler.ts');
  'conversions/billing/invoices/invoices': typeof import('../functions/conversions/billing/invoices/invoices.handler.ts');
  'conversions/billing/invoices/write-invoices': typeof import('../functions/conversions/billing/invoices/write-invoices.handler.ts');
  'conversions/billing/late-usage/record-late-usage': typeof import('../functions/conversions/billing/late-usage/record-late-usage.handler.ts');
  'conversions/normalize/normalize': typeof import('../functions/conversions/normalize/normalize.handler.ts');
  'conversions/oauth/token': typeof import('../functions/conversions/oauth/token.handler.ts');
  'conversions/billing/plans/plans': typeof import('../functions/conversions/billing/plans/plans.handler.ts');
  'conversions/unknown-routes/unknown-routes': typeof import('../functions/conversions/unknown-routes/unknown-routes.handler.ts');
  'conversions/usage/tenant-usage': typeof import('../functions/conversions/usage/tenant-usage.handler.ts');
  'conversions/usage/usage': typeof import('../functions/conversions/usage/usage.handler.ts');
  'conversions/validate/validate': typeof import('../functions/conversions/validate/validate.handler.ts');
  'edge/authorize-managers': typeof import('../functions/edge/authorize-managers.handler.ts');
  'edge/system/dead-letters': typeof import('../functions/edge/system/dead-letters.handler.ts');
  'edge/system/system': typeof import('../functions/edge/system/system.handler.ts');
  'edge/system/watch-system': typeof import('../functions/edge/system/watch-system.handler.ts');
  'edge/unknown-routes': typeof import('../functions/edge/unknown-routes.handler.ts');
  'images/announcements/announce-validations': typeof import('../functions/images/announcements/announce-validations.handler.ts');
  'images/announcements/probe-announcements': typeof import('../functions/images/announcements/probe-announcements.handler.ts');
  'images/campaigns/campaigns': typeof import('../functions/images/campaigns/campaigns.handler.ts');
  'images/erasure/delete-validations': typeof import('../functions/images/erasure/delete-validations.handler.ts');
  'images/erasure/erase-images': typeof import('../functions/images/erasure/erase-images.handler.ts');
  'images/examining/examine-image': typeof import('../functions/images/examining/examine-image.handler.ts');
  'images/executions/advance-validations': typeof import('../functions/images/executions/advance-validations.handler.ts');
  'images/executions/sweep-validations': typeof import('../functions/images/executions/sweep-validations.handler.ts');
  'images/reviews/examine-again': typeof import('../functions/images/reviews/examine-again.handler.ts');
  'images/reviews/image-validations': typeof import('../functions/images/reviews/image-validations.handler.ts');
  'images/submissions/add-images': typeof import('../functions/images/submissions/add-images.handler.ts');
  'images/submissions/list-validations': typeof import('../functions/images/submissions/list-validations.handler.ts');
  'images/submissions/receive-uploads': typeof import('../functions/images/submissions/receive-uploads.handler.ts');
  'images/submissions/submit-for-customer': typeof import('../functions/images/submissions/submit-for-customer.handler.ts');
  'images/submissions/submissions': typeof import('../functions/images/submissions/submissions.handler.ts');
  'images/workflow/apply-verdict': typeof import('../functions/images/workflow/apply-verdict.handler.ts');
  'images/workflow/decide-validation': typeof import('../functions/images/workflow/decide-validation.handler.ts');
  'images/workflow/prepare-validation': typeof import('../functions/images/workflow/prepare-validation.handler.ts');
  'images/workflow/request-review': typeof import('../functions/images/workflow/request-review.handler.ts');
  'places/ad-units/ad-units': typeof import('../functions/places/ad-units/ad-units.handler.ts');
  'places/announcements/announce-check-ins': typeof import('../functions/places/announcements/announce-check-ins.handler.ts');
  'places/announcements/probe-announcements': typeof import('../functions/places/announcements/probe-announcements.handler.ts');
  'places/catalog/places': typeof import('../functions/places/catalog/places.handler.ts');
  'places/check-ins/check-ins': typeof import('../functions/places/check-ins/check-ins.handler.ts');
  'places/check-ins/customer-check-ins': typeof import('../functions/places/check-ins/customer-check-ins.handler.ts');
  'places/erasure/erase-visits': typeof import('../functions/places/erasure/erase-visits.handler.ts');
  'places/import/import-places': typeof import('../functions/places/import/import-places.handler.ts');
  'places/import/show-imports': typeof import('../functions/places/import/show-imports.handler.ts');
  'places/import/upload-imports': typeof import('../functions/places/import/upload-imports.handler.ts');
  'places/import/wake-imports': typeof import('../functions/places/import/wake-imports.handler.ts');
  'places/listing/list-places': typeof import('../functions/places/listing/list-places.handler.ts');
  'records/requests/requests': typeof import('../functions/records/requests/requests.handler.ts');
  'records/announcements/announce-work': typeof import('../functions/records/announcements/announce-work.handler.ts');
  'records/announcements/probe-announcements': typeof import('../functions/records/announcements/probe-announcements.handler.ts');
  'records/download/run-download': typeof import('../functions/records/download/run-download.handler.ts');
  'records/download/wake-downloads': typeof import('../functions/records/download/wake-downloads.handler.ts');
  'records/erasure/erase-accounts': typeof import('../functions/records/erasure/erase-accounts.handler.ts');
  'records/import/import-records': typeof import('../functions/records/import/import-records.handler.ts');
  'records/import/show-imports': typeof import('../functions/records/import/show-imports.handler.ts');
  'records/import/upload-imports': typeof import('../functions/records/import/upload-imports.handler.ts');
  'records/import/wake-imports': typeof import('../functions/records/import/wake-imports.handler.ts');
  'records/index/merge-segments': typeof import('../functions/records/index/merge-segments.handler.ts');
  'records/index/remove-segments': typeof import('../functions/records/index/remove-segments.handler.ts');
  'records/requests/tenant-requests': typeof import('../functions/records/requests/tenant-requests.handler.ts');
  'records/download-files/results': typeof import('../functions/records/download-files/results.handler.ts');
  'records/schemas/schemas': typeof import('../functions/records/schemas/schemas.handler.ts');
  'records/search/search-data': typeof import('../functions/records/search/search-data.handler.ts');
  'records/search/tenant-data': typeof import('../functions/records/search/tenant-data.handler.ts');
  'reference/documents/documents': typeof import('../functions/reference/documents/documents.handler.ts');
  'reference/pages/pages': typeof import('../functions/reference/pages/pages.handler.ts');
  'webhooks/bulk-replays/bulk-replays': typeof import('../functions/webhooks/bulk-replays/bulk-replays.handler.ts');
  'webhooks/bulk-replays/replay-page': typeof import('../functions/webhooks/bulk-replays/replay-page.handler.ts');
  'webhooks/bulk-replays/wake-bulk-replays': typeof import('../functions/webhooks/bulk-replays/wake-bulk-replays.handler.ts');
  'webhooks/configuration-tests/test-configuration': typeof import('../functions/webhooks/configuration-tests/test-configuration.handler.ts');
  'webhooks/configurations/configurations': typeof import('../functions/webhooks/configurations/configurations.handler.ts');
  'webhooks/configurations/signing-secrets': typeof import('../functions/webhooks/configurations/signing-secrets.handler.ts');
  'webhooks/deliveries/deliver-run': typeof import('../functions/webhooks/deliveries/deliver-run.handler.ts');
  'webhooks/deliveries/dispatch-runs': typeof import('../functions/webhooks/deliveries/dispatch-runs.handler.ts');
  'webhooks/deliveries/sweep-runs': typeof import('../functions/webhooks/deliveries/sweep-runs.handler.ts');
  'webhooks/erasure/erase-accounts': typeof import('../functions/webhooks/erasure/erase-accounts.handler.ts');
  'webhooks/events/events': typeof import('../functions/webhooks/events/events.handler.ts');
  'webhooks/events/receive-events': typeof import('../functions/webhooks/events/receive-events.handler.ts');
  'webhooks/rule-previews/rule-previews': typeof import('../functions/webhooks/rule-previews/rule-previews.handler.ts');
  'webhooks/rules/rules': typeof import('../functions/webhooks/rules/rules.handler.ts');
  'webhooks/runs/runs': typeof import('../functions/webhooks/runs/runs.handler.ts');
  'webhooks/subject-requests/subject-requests': typeof import('../functions/webhooks/subject-requests/subject-requests.handler.ts');
}

export type HandlerName = keyof Handlers;

/** The variables that a handler needs. */
export type EnvironmentOf<Name extends HandlerName> = z.input<Handlers[Name]['Env']>;

/** Handlers that answer HTTP requests: those that have a table of routes. */
export type RoutedHandlerName = {
  [Name in HandlerName]: Handlers[Name]['handler'] extends { readonly routes: readonly string[] } ? Name : never;
}[HandlerName];
