import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ModuleId, ModuleInput } from '../modules/module-input.ts';
import { NewRule, RuleChange } from './rule-input.ts';

const Rule = named(
  'Rule',
  z.object({
    id: z.string(),
    name: z.string().meta({ description: 'Empty if the rule has no name.' }),
    module: ModuleId,
    moduleName: z.string(),
    trigger: z.string(),
    apiConfigurationId: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    bodyText: z.string(),
    enabled: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  }),
  'A rule sends its body to its API configuration when an event fires its trigger.',
);

const RuleQuery = PageQuery.extend({
  configuration: z.string().min(1).max(100).optional(),
  module: ModuleInput.optional(),
});

const one = { path: ItemPath, answers: { 200: Rule } };
const saving = { 400: ['unknown-configuration'] };
const example = {
  name: 'Start of a request',
  module: 'dsar',
  trigger: 'DSAR starts',
  apiConfigurationId: 'cfg_1',
  headers: { 'X-Source': 'privacy' },
  body: { request: '{{requestId}}' },
};

/** Operations on rules. */
export const ruleOperations = operations({
  createRule: {
    route: 'POST /manage/v1/rules',
    summary: 'Create a rule',
    body: NewRule,
    example,
    answers: { 201: Rule },
    errors: { ...saving, 409: ['too-many-rules'] },
  },
  listRules: {
    route: 'GET /manage/v1/rules',
    summary: 'List rules',
    query: RuleQuery,
    answers: { 200: pageOf('RulePage', Rule) },
  },
  getRule: { route: 'GET /manage/v1/rules/{id}', summary: 'Get a rule', ...one },
  replaceRule: {
    route: 'PUT /manage/v1/rules/{id}',
    summary: 'Replace a rule',
    ...one,
    body: NewRule,
    example,
    errors: saving,
  },
  changeRule: {
    route: 'PATCH /manage/v1/rules/{id}',
    summary: 'Change a rule',
    description: 'Members that are absent stay as they are.',
    ...one,
    body: RuleChange,
    example: { enabled: false },
    errors: saving,
  },
  deleteRule: {
    route: 'DELETE /manage/v1/rules/{id}',
    summary: 'Delete a rule',
    path: ItemPath,
    answers: { 204: undefined },
  },
});
