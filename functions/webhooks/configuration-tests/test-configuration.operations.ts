import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { AttemptLine, SentHeader } from '../runs/attempt-line.ts';
import { ConfigurationTest } from './test-configuration.ts';

const ConfigurationTestResult = named(
  'ConfigurationTestResult',
  AttemptLine.extend({ error: z.string().nullable(), payload: z.string(), headers: z.array(SentHeader) }),
  'The attempt of a test, with what was sent. Secrets are masked.',
);

/** The test of an API configuration. */
export const configurationTestOperations = operations({
  testApiConfiguration: {
    route: 'POST /manage/v1/api-configurations/{id}/test',
    summary: 'Send a test request',
    description: 'Sends one POST at once, marked with `X-Service-Test: true`, and answers with the attempt.',
    path: ItemPath,
    body: ConfigurationTest,
    example: { payload: { hello: 'world' } },
    answers: { 200: ConfigurationTestResult },
    errors: {
      409: ['api-integration-off', 'account-suspended', 'secret-unreadable'],
      429: ['too-many-tests'],
    },
  },
});
