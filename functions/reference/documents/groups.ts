import { anonymousTokenOperations } from '../../accounts/anonymous-tokens/anonymous-tokens.operations.ts';
import { appOperations } from '../../accounts/apps/apps.operations.ts';
import { auditOperations } from '../../accounts/audit/audit.operations.ts';
import { customerOperations } from '../../accounts/customers/customers.operations.ts';
import { dataTokenOperations } from '../../accounts/data-tokens/data-tokens.operations.ts';
import { erasureOperations } from '../../accounts/erasure/erasures.operations.ts';
import { managementKeyOperations } from '../../accounts/management-keys/management-keys.operations.ts';
import { meOperations } from '../../accounts/people/me.operations.ts';
import { peopleOperations } from '../../accounts/people/people.operations.ts';
import { accountOperations } from '../../accounts/tenants/accounts.operations.ts';
import { accountErasureOperations } from '../../accounts/tenants/erase-accounts.operations.ts';
import { userOperations } from '../../accounts/users/users.operations.ts';
import { signInLimitOperations } from '../../console/sign-in/sign-in-limits.operations.ts';
import { conversionKeyOperations } from '../../conversions/billing/credentials/keys.operations.ts';
import { oauthClientOperations } from '../../conversions/billing/credentials/oauth-clients.operations.ts';
import { invoiceOperations } from '../../conversions/billing/invoices/invoices.operations.ts';
import { planOperations } from '../../conversions/billing/plans/plans.operations.ts';
import { convertOperations } from '../../conversions/convert/convert.operations.ts';
import { enrichOperations } from '../../conversions/enrich/enrich.operations.ts';
import { normalizeOperations } from '../../conversions/normalize/normalize.operations.ts';
import { tokenOperations } from '../../conversions/oauth/token.operations.ts';
import { tenantUsageOperations } from '../../conversions/usage/tenant-usage.operations.ts';
import { usageOperations } from '../../conversions/usage/usage.operations.ts';
import { validateOperations } from '../../conversions/validate/validate.operations.ts';
import { deadLetterOperations } from '../../edge/system/dead-letters.operations.ts';
import { systemOperations } from '../../edge/system/system.operations.ts';
import { campaignOperations } from '../../images/campaigns/campaigns.operations.ts';
import { validationErasureOperations } from '../../images/erasure/delete-validations.operations.ts';
import { reexaminationOperations } from '../../images/reviews/examine-again.operations.ts';
import { imageValidationOperations } from '../../images/reviews/image-validations.operations.ts';
import { imageAdditionOperations } from '../../images/submissions/add-images.operations.ts';
import { validationListOperations } from '../../images/submissions/list-validations.operations.ts';
import { submissionOperations } from '../../images/submissions/submissions.operations.ts';
import { customerSubmissionOperations } from '../../images/submissions/submit-for-customer.operations.ts';
import { adUnitOperations } from '../../places/ad-units/ad-units.operations.ts';
import { placeOperations } from '../../places/catalog/places.operations.ts';
import { checkInOperations } from '../../places/check-ins/check-ins.operations.ts';
import { customerCheckInOperations } from '../../places/check-ins/customer-check-ins.operations.ts';
import { placeImportOperations } from '../../places/import/show-imports.operations.ts';
import { placeUploadOperations } from '../../places/import/upload-imports.operations.ts';
import { placeListingOperations } from '../../places/listing/list-places.operations.ts';
import { resultOperations } from '../../records/download-files/results.operations.ts';
import { recordImportOperations } from '../../records/import/show-imports.operations.ts';
import { recordUploadOperations } from '../../records/import/upload-imports.operations.ts';
import { dataRequestOperations } from '../../records/requests/requests.operations.ts';
import { downloadRequestOperations } from '../../records/requests/tenant-requests.operations.ts';
import { recordSchemaOperations } from '../../records/schemas/schemas.operations.ts';
import { searchOperations } from '../../records/search/search-data.operations.ts';
import { tenantDataOperations } from '../../records/search/tenant-data.operations.ts';
import { bulkReplayOperations } from '../../webhooks/bulk-replays/bulk-replays.operations.ts';
import { configurationTestOperations } from '../../webhooks/configuration-tests/test-configuration.operations.ts';
import { configurationOperations } from '../../webhooks/configurations/configurations.operations.ts';
import { signingSecretOperations } from '../../webhooks/configurations/signing-secrets.operations.ts';
import { eventOperations } from '../../webhooks/events/events.operations.ts';
import { rulePreviewOperations } from '../../webhooks/rule-previews/rule-previews.operations.ts';
import { ruleOperations } from '../../webhooks/rules/rules.operations.ts';
import { runOperations } from '../../webhooks/runs/runs.operations.ts';
import { subjectRequestOperations } from '../../webhooks/subject-requests/subject-requests.operations.ts';
import type { Group } from './interface.ts';

/** All operations of each domain, in the order in which readers need them. A stage may lack a domain. */
export const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  accounts: [
    {
      tag: 'Accounts',
      description: 'An account is a business customer of the service, which owns data and credentials.',
      operations: { ...accountOperations, ...accountErasureOperations },
    },
    {
      tag: 'People',
      description: 'A person may sign in to the console, and does there and here what the role allows.',
      operations: { ...peopleOperations, ...meOperations },
    },
    {
      tag: 'Management keys',
      description: 'A management key is the credential of a server for this API, with scopes.',
      operations: managementKeyOperations,
    },
    {
      tag: 'Data tokens',
      description: 'A data token is the credential of `/v3`, with the number of records that it may still download.',
      operations: dataTokenOperations,
    },
    {
      tag: 'Apps',
      description: 'An app calls the loyalty interfaces with its key and secret.',
      operations: appOperations,
    },
    {
      tag: 'Customers',
      description: 'A customer is a person whom the apps of the tenant serve.',
      operations: customerOperations,
    },
    {
      tag: 'Erasures',
      description: 'An erasure removes all data of a customer or of the account from every domain.',
      operations: erasureOperations,
    },
    {
      tag: 'Audit records',
      description: 'An audit record says who changed what, when and from where.',
      operations: auditOperations,
    },
    {
      tag: 'Users',
      description: 'A user is the account behind a data token, with what it may still download.',
      operations: userOperations,
    },
    {
      tag: 'Anonymous tokens',
      description: 'An anonymous token lets a customer in whom nobody has registered.',
      operations: anonymousTokenOperations,
    },
  ],
  console: [
    {
      tag: 'Sign-in limits',
      description: 'A sign-in limit locks a name after wrong passwords.',
      operations: signInLimitOperations,
    },
  ],
  edge: [
    {
      tag: 'System states',
      description: 'The system state says what waits, what was given up, and which alarms are active.',
      operations: { ...systemOperations, ...deadLetterOperations },
    },
  ],
  records: [
    {
      tag: 'Records',
      description: 'A record is a business, product or property that is searched and downloaded.',
      operations: {
        ...searchOperations,
        ...recordSchemaOperations,
        previewRecords: tenantDataOperations.previewRecords,
      },
    },
    {
      tag: 'Downloads',
      description: 'A download is the request for all or some matches of a query, answered with files.',
      operations: {
        createDownloadRequest: tenantDataOperations.createDownloadRequest,
        ...downloadRequestOperations,
        ...dataRequestOperations,
        ...resultOperations,
      },
    },
    {
      tag: 'Record imports',
      description: 'An import creates, replaces and deletes records by the lines of a file.',
      operations: { ...recordImportOperations, ...recordUploadOperations },
    },
  ],
  conversions: [
    {
      tag: 'Conversions',
      description: 'The metered operations.',
      operations: { ...convertOperations, ...normalizeOperations, ...validateOperations, ...enrichOperations },
    },
    {
      tag: 'Account',
      description: 'What the account has used, and tokens for test clients.',
      operations: { ...usageOperations, ...tokenOperations },
    },
    {
      tag: 'Conversion credentials',
      description: 'Conversion keys, and test OAuth clients.',
      operations: { ...conversionKeyOperations, ...oauthClientOperations },
    },
    {
      tag: 'Plans and usage',
      description: 'The plan of an account, its spend cap, its invoices and its conversions.',
      operations: { ...planOperations, ...invoiceOperations, ...tenantUsageOperations },
    },
  ],
  webhooks: [
    {
      tag: 'API configurations',
      description: 'The targets of webhooks, with their retries, their authentication and their signature.',
      operations: { ...configurationOperations, ...signingSecretOperations, ...configurationTestOperations },
    },
    {
      tag: 'Rules',
      description: 'A rule sends a body to an API configuration when an event fires its trigger.',
      operations: { ...ruleOperations, ...rulePreviewOperations },
    },
    {
      tag: 'Events',
      description: 'Events from outside, and the data subject requests that they are about.',
      operations: { ...eventOperations, ...subjectRequestOperations },
    },
    {
      tag: 'Runs',
      description: 'The delivery log: one run for each event and rule, its attempts and its replays.',
      operations: { ...runOperations, ...bulkReplayOperations },
    },
  ],
  places: [
    {
      tag: 'Places',
      description: 'A place is where customers check in for points.',
      operations: { ...placeOperations, ...placeListingOperations },
    },
    {
      tag: 'Ad units',
      description: 'An ad unit promotes places for a time.',
      operations: adUnitOperations,
    },
    {
      tag: 'Place imports',
      description: 'An import creates, replaces and deletes places by the lines of a file.',
      operations: { ...placeImportOperations, ...placeUploadOperations },
    },
    {
      tag: 'Check-ins',
      description: 'A check-in gives a customer the points of a place.',
      operations: { ...checkInOperations, ...customerCheckInOperations },
    },
  ],
  images: [
    {
      tag: 'Campaigns',
      description: 'A campaign says which receipts or pictures count, and for how many points.',
      operations: campaignOperations,
    },
    {
      tag: 'Image validations',
      description:
        'A validation holds what a customer submitted for a campaign; a person decides it where the service cannot.',
      operations: {
        ...customerSubmissionOperations,
        ...imageValidationOperations,
        ...reexaminationOperations,
        ...validationErasureOperations,
        ...submissionOperations,
        ...imageAdditionOperations,
        ...validationListOperations,
      },
    },
  ],
};
