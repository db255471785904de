import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { ModuleId } from '../modules/module-input.ts';
import { RulePreview } from '../rules/rule-input.ts';

const Variable = named('Variable', z.object({ name: z.string(), description: z.string() }));

const Trigger = named(
  'Trigger',
  z.object({
    name: z.string(),
    variables: z.array(Variable),
    sample: z
      .object({
        id: z.string(),
        module: ModuleId,
        trigger: z.string(),
        recordType: z.string(),
        recordId: z.string(),
        data: z.record(z.string(), z.unknown()),
        time: z.string(),
      })
      .optional()
      .meta({ description: 'An event as `sendEvent` accepts it.' }),
  }),
);

const Module = named('Module', z.object({ id: ModuleId, name: z.string(), triggers: z.array(Trigger) }));

const PreviewedPayload = named(
  'PreviewedPayload',
  z.object({
    payload: z.string(),
    headers: z.array(z.array(z.string())).meta({ description: 'Pairs of a name and a value.' }),
    unknown: z.array(z.string()).meta({ description: 'Variables that the event does not have.' }),
    bytes: z.int(),
  }),
);

/** The operations that help to write rules. */
export const rulePreviewOperations = operations({
  listModules: {
    route: 'GET /manage/v1/modules',
    summary: 'List modules with their triggers and variables',
    answers: { 200: named('ModuleList', z.object({ items: z.array(Module) })) },
  },
  previewRule: {
    route: 'POST /manage/v1/rules/preview',
    summary: 'Preview the payload of a rule',
    description: 'Nothing is stored. Members of `event` replace those of the sample of the trigger.',
    body: RulePreview,
    example: { module: 'dsar', trigger: 'DSAR starts', body: { request: '{{requestId}}' } },
    answers: { 200: PreviewedPayload },
    errors: { 400: ['payload-too-large'] },
  },
});
