import type { BuiltInModule, ModuleId } from '../modules/module.ts';
import type { TriggersOf, Variables } from './trigger-events.ts';

/** The variables that the specification names for data subject requests. */
const REQUEST: Variables = {
  status: ['IN_PROGRESS', 'The state of the request.'],
  locale: ['en-GB', 'The language in which the request was made.'],
  brandId: ['brand-1', 'The brand that the request was made to.'],
  requestorEmail: ['jo.doe@example.com', 'The e-mail address of the requestor.'],
  requestorFirstName: ['Jo', 'The first name of the requestor.'],
  requestorLastName: ['Doe', 'The last name of the requestor.'],
  requestorCountry: ['US', 'The country of the requestor.'],
  requestorState: ['CA', 'The state or province of the requestor.'],
  requests: [['access', 'erasure'], 'What is requested, as a list.'],
  fulfilledAt: [null, 'When the request was fulfilled; null before that.'],
};
const STAGE: Variables = { stage: ['Verification', 'The stage of the workflow.'] };

const request = (data: Variables = {}) => ({
  recordType: 'subject request',
  recordId: '4711',
  data: { ...REQUEST, ...data },
});

const incident = (status: string, data: Variables = {}) => ({
  recordType: 'incident',
  recordId: 'inc-82',
  data: {
    name: ['Lost laptop', 'The name of the incident.'],
    status: [status, 'The state of the incident.'],
    severity: ['high', 'How severe it is.'],
    discoveredAt: ['2026-11-20T16:40:00.000Z', 'When it was discovered.'],
    affectedPeople: [120, 'How many people are affected, if known.'],
    ...data,
  } satisfies Variables,
});

const assessment = (status: string, data: Variables = {}) => ({
  recordType: 'assessment',
  recordId: 'asm-305',
  data: {
    name: ['Vendor review: Northwind', 'The name of the assessment.'],
    status: [status, 'The state of the assessment.'],
    template: ['Vendor risk', 'The questionnaire.'],
    respondentEmail: ['kim.lee@example.com', 'Who answers it.'],
    dueAt: ['2026-12-15T00:00:00.000Z', 'When the answers are due.'],
    ...data,
  } satisfies Variables,
});

const consent = (status: string) => ({
  recordType: 'consent receipt',
  recordId: 'rcp-9041',
  data: {
    status: [status, 'The decision of the visitor.'],
    visitorId: ['v-7f3a', 'The visitor.'],
    purposes: [['analytics', 'marketing'], 'The purposes of the consent, as a list.'],
    domain: ['www.example.com', 'The site on which the visitor decided.'],
    locale: ['en-GB', 'The language of the site.'],
    country: ['US', 'The country of the visitor.'],
  } satisfies Variables,
});

/**
 * The variables of modules whose events come from outside. The specification names those of data subject requests; the
 * others are examples: a rule may use whatever the sender puts into `data`.
 */
export const OUTSIDE_TRIGGERS: TriggersOf<Exclude<ModuleId, BuiltInModule>> = {
  dsar: {
    'Task is completed': request({ task: ['Verify the identity', 'The task that was completed.'] }),
    'Stage started': request(STAGE),
    'Stage is completed': request(STAGE),
    'DSAR starts': request({ status: ['CREATED', 'The state of the request.'] }),
    'DSAR is completed': request({
      status: ['COMPLETED', 'The state of the request.'],
      fulfilledAt: ['2026-11-21T09:58:12.000Z', 'When the request was fulfilled; null before that.'],
    }),
  },
  breach: {
    'Incident created': incident('open'),
    'Stage started': incident('open', STAGE),
    'Stage is completed': incident('open', STAGE),
    'Incident closed': incident('closed', { closedAt: ['2026-11-21T09:59:30.000Z', 'When it was closed.'] }),
  },
  assessment: {
    'Assessment started': assessment('started'),
    'Assessment submitted': assessment('submitted', {
      submittedAt: ['2026-11-21T09:59:00.000Z', 'The time of the submission.'],
    }),
    'Assessment approved': assessment('approved', { approvedBy: ['sam.roe@example.com', 'Who approved it.'] }),
    'Assessment is completed': assessment('completed', { result: ['low risk', 'The result of the assessment.'] }),
  },
  consent: {
    'Consent submitted': consent('given'),
    'Consent withdrawn': consent('withdrawn'),
  },
};
