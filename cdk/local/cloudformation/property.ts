/** Shapes of properties that many resource types share. CDK writes numbers and booleans as such; others write text. */
import { z } from 'zod';
import { type PolicyDocument, parsePolicy } from '../iam/policy-document.ts';

export const numeric = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).transform(Number);
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** A property that has no effect on a local run. */
export const ignored = z.unknown().optional();

/** A policy. One that the local cloud cannot evaluate is refused here. */
export const policyDocument = z.unknown().transform((value): PolicyDocument => {
  parsePolicy(value);
  return value as PolicyDocument;
});
