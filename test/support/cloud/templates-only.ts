import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';

/**
 * Context of a synthesis that is only looked at. Its assets get no native packages: those for Lambda would have to be
 * fetched, and tests run without a network.
 */
export const TEMPLATES_ONLY = { [BUNDLING_STACKS]: [] };
