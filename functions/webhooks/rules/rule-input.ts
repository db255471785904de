import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { whenSound } from '#shared/http/invalid-input';
import { MODULE_IDS, moduleIn } from './module.ts';
import { readBody } from './read-body.ts';
import { CustomHeaders } from './rule-headers.ts';

/** A module by its id or by the name it is shown under. */
export const StatedModule = z.string().transform((text, context) => {
  const id = moduleIn(text);
  if (id) return id;
  context.addIssue({ code: 'custom', message: `must be one of ${MODULE_IDS.join(', ')}` });
  return z.NEVER;
});

const readAs = (given: unknown, context: z.core.$RefinementCtx) => {
  const read = readBody(given);
  if (read.ok) return read.text;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
};
/** The text of a JSON object that is given as such, or as its text. */
export const StatedBody = z.unknown().transform(readAs);
/** Of a rule that is sent back as it was shown, both. */
const body = { body: StatedBody.optional(), bodyText: z.string().transform(readAs).optional() };

interface Bodies {
  readonly body?: string | undefined;
  readonly bodyText?: string | undefined;
}

/** The text of the body that is stated, if any is. */
function withBody<Stated extends Bodies>(stated: Stated, context: z.core.$RefinementCtx) {
  const { body: given, bodyText, ...others } = stated;
  const text = bodyText ?? given;
  if (given !== undefined && bodyText !== undefined && !isShownAs(given, bodyText)) {
    context.addIssue({ code: 'custom', path: ['bodyText'], message: 'must not come with another body: state one' });
    return z.NEVER;
  }
  return { ...others, ...(text !== undefined && { body: text }) };
}

/** Whether a program that reads the text as JSON, with numbers of its own, would write the body. */
function isShownAs(given: string, text: string): boolean {
  const [one, other] = [given, text].map((json): unknown => JSON.parse(JSON.stringify(JSON.parse(json))));
  return isDeepStrictEqual(one, other);
}

/** A rule must have a body: checked whatever else is wrong. */
const needsBody = {
  path: ['body'],
  error: 'must be a JSON object, or the text of one',
  when: whenSound('body', 'bodyText'),
};
const hasBody = ({ body: given, bodyText }: Bodies) => given !== undefined || bodyText !== undefined;

function withRequiredBody<Stated extends Bodies>(stated: Stated, context: z.core.$RefinementCtx) {
  const { body: text = '', ...others } = withBody(stated, context);
  return { ...others, body: text };
}

/**
 * Members that answers show and callers cannot choose. Answers may be sent back as they are, so they are accepted and
 * ignored.
 */
const shown = {
  id: z.unknown().optional(),
  moduleName: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

/** The module decides which triggers exist: see `checkTrigger`. */
const content = { module: StatedModule, trigger: z.string(), ...body };
const fields = {
  ...content,
  apiConfigurationId: z.string().min(1).max(100),
  headers: CustomHeaders,
  enabled: z.boolean(),
};

/** A rule, stated in full. */
export const NewRule = z
  .strictObject({ ...fields, headers: CustomHeaders.optional(), enabled: z.boolean().default(true), ...shown })
  .refine(hasBody, needsBody)
  .transform(({ id: _id, moduleName: _name, createdAt: _created, updatedAt: _updated, headers = [], ...stated }) => ({
    ...stated,
    headers,
  }))
  .transform(withRequiredBody);
export type NewRule = z.output<typeof NewRule>;

/** The fields to change. */
export const RuleChange = z
  .strictObject({ ...z.object(fields).partial().shape, ...shown })
  .transform(({ id: _id, moduleName: _name, createdAt: _created, updatedAt: _updated, ...change }) => change)
  .transform(withBody)
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type RuleChange = z.output<typeof RuleChange>;

/** What decides what a rule sends. */
export type RuleContent = Pick<NewRule, 'module' | 'trigger' | 'headers' | 'body'>;

/** What a rule would send, for an event: its sample, with the members that are stated. */
export const RulePreview = z
  .strictObject({ ...content, headers: CustomHeaders.optional(), event: z.record(z.string(), z.unknown()).optional() })
  .refine(hasBody, needsBody)
  .transform(({ headers = [], ...stated }) => ({ ...stated, headers }))
  .transform(withRequiredBody);

/** The members of a preview that decide its event. */
export const SoundPreview = z
  .object({ module: StatedModule, trigger: z.string(), event: z.record(z.string(), z.unknown()) })
  .partial();
