/** IAM policy documents of a template, checked when they are parsed so that evaluation is simple. */
import { z } from 'zod';
import { checkConditions, refuseVariables } from './conditions.ts';

const oneOrMany = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const Principals = z.union([z.literal('*'), z.record(z.string(), oneOrMany)]);

/** Operator, then condition key, then the values it is compared with. CDK also writes plain booleans and numbers. */
const scalar = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const Conditions = z.record(
  z.string(),
  z.record(
    z.string(),
    z.union([scalar, z.array(scalar)]).transform((value) => [value].flat()),
  ),
);

const Statement = z
  .strictObject({
    Sid: z.string().optional(),
    Effect: z.enum(['Allow', 'Deny']),
    Action: oneOrMany.optional(),
    NotAction: oneOrMany.optional(),
    Resource: oneOrMany.optional(),
    NotResource: oneOrMany.optional(),
    Principal: Principals.optional(),
    NotPrincipal: Principals.optional(),
    Condition: Conditions.optional(),
  })
  .refine(({ Action, NotAction }) => (Action === undefined) !== (NotAction === undefined), {
    error: 'a statement names either Action or NotAction',
  });

const Document = z.strictObject({
  Version: z.enum(['2012-10-17', '2008-10-17']).optional(),
  Id: z.string().optional(),
  Statement: z.union([Statement, z.array(Statement)]).transform((value) => [value].flat()),
});

/** A policy as people and templates write it. */
export type PolicyDocument = z.input<typeof Document>;
export type ParsedPolicy = z.output<typeof Document>;
export type ParsedStatement = ParsedPolicy['Statement'][number];
export type ParsedPrincipals = z.output<typeof Principals>;

/** Refuses what we could not evaluate truthfully: unknown members, operators and condition keys. */
export function parsePolicy(document: unknown): ParsedPolicy {
  const parsed = Document.safeParse(document);
  if (!parsed.success) {
    throw new Error(`Not a policy document: ${z.prettifyError(parsed.error)}\n${JSON.stringify(document)}`);
  }
  for (const statement of parsed.data.Statement) {
    checkConditions(statement.Condition ?? {});
    refuseVariables('Resource', [...(statement.Resource ?? []), ...(statement.NotResource ?? [])]);
  }
  return parsed.data;
}
