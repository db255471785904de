/** Routes for writing rules: the modules with their variables, and the preview of a rule. Nothing is stored. */
import * as z from 'zod';
import { parseExactly } from '#shared/formats/exact-json';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { describedModules } from '../triggers/module-descriptions.ts';
import { previewFaults, previewRule } from './preview-rule.ts';
import { rulePreviewOperations } from './rule-previews.operations.ts';

export const Env = z.object({});

export const handler = apiRoutes(tenantApi, rulePreviewOperations, {
  listModules: () => ok({ items: describedModules() }),
  previewRule: {
    parseBody: parseExactly,
    more: previewFaults,
    answer: ({ caller, body, now }) => ok(previewRule(body, { tenant: caller.tenant, now })),
  },
});
