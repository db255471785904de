/** Routes for writing rules: the modules with their variables, and the preview of a rule. Nothing is stored. */
import * as z from 'zod';
import { parseExactly } from '#shared/formats/exact-json';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { RulePreview } from '../rules/rule-input.ts';
import { describedModules } from '../triggers/module-descriptions.ts';
import { previewFaults, previewRule } from './preview-rule.ts';

export const Env = z.object({});

const list = httpHandler(tenantApi, {}, () => ok({ items: describedModules() }));

const previewing = { body: RulePreview, parseBody: parseExactly, more: previewFaults };

const preview = httpHandler(tenantApi, previewing, ({ caller, body, now }) =>
  ok(previewRule(body, { tenant: caller.tenant, now })),
);

export const handler = httpRoutes({
  'GET /manage/v1/modules': list,
  'POST /manage/v1/rules/preview': preview,
});
