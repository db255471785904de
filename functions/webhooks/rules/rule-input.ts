import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ReadOnly } from '#shared/http/answer-schemas';
import { whenSound } from '#shared/http/invalid-input';
import { omit } from '#shared/omit';
import { ModuleInput } from '../modules/module-input.ts';
import { readRuleBody } from './read-rule-body.ts';
import { CustomHeaders } from './rule-headers.ts';

const readAs = (given: unknown, context: z.core.$RefinementCtx) => {
  const read = readRuleBody(given);
  if (read.ok) return read.text;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
};
/** The text of a JSON object, given as an object or as text. */
export const BodyInput = z
  .unknown()
  .transform(readAs)
  .meta({ anyOf: [{ type: 'object' }, { type: 'string' }], description: 'A JSON object, or the text of one.' });
/** A rule that is sent back unchanged has both. */
const body = { body: BodyInput.optional(), bodyText: z.string().transform(readAs).optional() };

interface Bodies {
  readonly body?: string | undefined;
  readonly bodyText?: string | undefined;
}

/** Returns the input with the text of its body, if it has one. */
function withBody<Stated extends Bodies>(input: Stated, context: z.core.$RefinementCtx) {
  const { body: given, bodyText, ...others } = input;
  const text = bodyText ?? given;
  if (given !== undefined && bodyText !== undefined && !isSameJson(given, bodyText)) {
    context.addIssue({
      code: 'custom',
      path: ['bodyText'],
      message: 'must not differ from body: send only one of them',
    });
    return z.NEVER;
  }
  return { ...others, ...(text !== undefined && { body: text }) };
}

/** Returns whether both texts are the same JSON for a program that reads numbers as doubles. */
function isSameJson(given: string, text: string): boolean {
  const [one, other] = [given, text].map((json): unknown => JSON.parse(JSON.stringify(JSON.parse(json))));
  return isDeepStrictEqual(one, other);
}

/** Requires a body, and is checked even if other members are invalid. */
const needsBody = {
  path: ['body'],
  error: 'must be a JSON object, or the text of one',
  when: whenSound('body', 'bodyText'),
};
const hasBody = ({ body: given, bodyText }: Bodies) => given !== undefined || bodyText !== undefined;

function withRequiredBody<Stated extends Bodies>(input: Stated, context: z.core.$RefinementCtx) {
  const { body: text = '', ...others } = withBody(input, context);
  return { ...others, body: text };
}

const readOnlyFields = { id: ReadOnly, moduleName: ReadOnly, createdAt: ReadOnly, updatedAt: ReadOnly };

const withoutReadOnly = <Input extends object>(input: Input) =>
  omit(input, 'id', 'moduleName', 'createdAt', 'updatedAt');

const NAME_CHARACTERS_MAX = 50;

/** A single line, so that it fits in a list. It may be empty. */
const name = z
  .string()
  .trim()
  .normalize()
  .max(NAME_CHARACTERS_MAX, `must have at most ${NAME_CHARACTERS_MAX} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not hold control characters')
  .meta({ description: 'A name for people, such as "Cases to the archive".' });

/** Any text is accepted as the trigger here; `checkTrigger` compares it with the triggers of the module. */
const content = { module: ModuleInput, trigger: z.string(), ...body };
const fields = {
  name,
  ...content,
  apiConfigurationId: z.string().min(1).max(100),
  headers: CustomHeaders,
  enabled: z.boolean(),
};

/** The body that creates or replaces a rule. */
export const NewRule = z
  .strictObject({
    ...fields,
    name: name.default(''),
    headers: CustomHeaders.optional(),
    enabled: z.boolean().default(true),
    ...readOnlyFields,
  })
  .refine(hasBody, needsBody)
  .transform(({ headers = [], ...input }) => ({ ...withoutReadOnly(input), headers }))
  .transform(withRequiredBody)
  .meta({ id: 'NewRule' });
export type NewRule = z.output<typeof NewRule>;

/** The body that changes some fields of a rule. */
export const RuleChange = z
  .strictObject({ ...z.object(fields).partial().shape, ...readOnlyFields })
  .transform(withoutReadOnly)
  .transform(withBody)
  .refine((change) => Object.keys(change).length > 0, 'Change at least one field.')
  .meta({ id: 'RuleChange' });
export type RuleChange = z.output<typeof RuleChange>;

/** The members of a rule that decide what it sends. */
export type RuleContent = Pick<NewRule, 'module' | 'trigger' | 'headers' | 'body'>;

/** The body of a preview: a rule, and members of the event that replace those of the sample. */
export const RulePreview = z
  .strictObject({ ...content, headers: CustomHeaders.optional(), event: z.record(z.string(), z.unknown()).optional() })
  .refine(hasBody, needsBody)
  .transform(({ headers = [], ...input }) => ({ ...input, headers }))
  .transform(withRequiredBody)
  .meta({ id: 'RulePreviewRequest' });

/** The members of a preview that decide its event. */
export const SoundPreview = z
  .object({ module: ModuleInput, trigger: z.string(), event: z.record(z.string(), z.unknown()) })
  .partial();
