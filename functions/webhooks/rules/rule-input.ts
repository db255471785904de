import * as z from 'zod';
import { MODULE_IDS, moduleIn } from './module.ts';
import { readBody } from './read-body.ts';
import { CustomHeaders } from './rule-headers.ts';

const module = z.string().transform((text, context) => {
  const id = moduleIn(text);
  if (id) return id;
  context.addIssue({ code: 'custom', message: `must be one of ${MODULE_IDS.join(', ')}` });
  return z.NEVER;
});

const body = z.unknown().transform((given, context) => {
  const read = readBody(given);
  if (read.ok) return read.text;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

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

const fields = {
  module,
  /** The module decides which ones exist: see `checkTrigger`. */
  trigger: z.string(),
  apiConfigurationId: z.string().min(1).max(100),
  headers: CustomHeaders,
  body,
  enabled: z.boolean(),
};

/** A rule, stated in full. */
export const NewRule = z
  .strictObject({ ...fields, headers: CustomHeaders.optional(), enabled: z.boolean().default(true), ...shown })
  .transform(({ id: _id, moduleName: _name, createdAt: _created, updatedAt: _updated, headers = [], ...stated }) => ({
    ...stated,
    headers,
  }));
export type NewRule = z.output<typeof NewRule>;

/** The fields to change. */
export const RuleChange = z
  .strictObject({ ...z.object(fields).partial().shape, ...shown })
  .transform(({ id: _id, moduleName: _name, createdAt: _created, updatedAt: _updated, ...change }) => change)
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type RuleChange = z.output<typeof RuleChange>;
