/** A CloudFormation template as CDK writes it, as far as the local cloud reads it. */
import { z } from 'zod';

/** A template with this key is refused, because the local cloud would obey only half of it. */
const absent = (what: string) => z.undefined({ error: `the local cloud does not have ${what}` }).optional();

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat())
    .default([]),
  Condition: absent('conditions'),
});

const Output = z.object({
  Value: z.unknown(),
  Description: z.string().optional(),
  Condition: absent('conditions'),
  Export: z.object({ Name: z.unknown() }).optional(),
});

export const Template = z.object({
  Description: z.string().optional(),
  Parameters: z.record(z.string(), z.object({ Type: z.string(), Default: z.unknown() })).default({}),
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), Output).default({}),
});

export type Template = z.output<typeof Template>;
export type TemplateResource = z.output<typeof Resource>;
