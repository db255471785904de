import { operations } from '#shared/http/operation';
import { Usage } from './usage.ts';

/** The operation that shows the usage of an account. */
export const usageOperations = operations({
  getUsage: {
    route: 'GET /v1/usage',
    summary: 'Get the usage of the account',
    description: 'Takes a token, no conversion.',
    answers: { 200: Usage.meta({ id: 'Usage' }) },
  },
});
