/** A CloudFormation template as CDK writes it, as far as the local cloud reads it. */
import { z } from 'zod';

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat())
    .default([]),
  Condition: z.string().optional(),
});

const Output = z.object({
  Value: z.unknown(),
  Description: z.string().optional(),
  Condition: z.string().optional(),
  Export: z.object({ Name: z.unknown() }).optional(),
});

export const Template = z.object({
  Description: z.string().optional(),
  Parameters: z.record(z.string(), z.object({ Type: z.string(), Default: z.unknown() })).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), Output).default({}),
});

export type Template = z.output<typeof Template>;
export type TemplateResource = z.output<typeof Resource>;
