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
};
