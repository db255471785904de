import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { type HttpEvent, httpHandler, ok } from '../../shared/http/http-handler.ts';
import { managementApi } from '../../shared/http/management-api.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

const Thing = z.strictObject({
  name: z.string().min(1).max(50),
  plan: z.enum(['free', 'growth']),
  interval: z.int().min(0).max(86_400).optional(),
  mail: z.email().optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  hosts: z.array(z.string()).min(1).optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  colour: z.string().regex(/^#/, 'must begin with #').optional(),
  'a/b': z.strictObject({ deep: z.boolean() }).optional(),
});

async function problemOf(body: unknown, schema: z.ZodType | mini.ZodMiniType = Thing) {
  const handler = httpHandler({ identify: () => undefined, present: managementApi.present }, { body: schema }, () =>
    ok({}),
  );
  const event = {
    routeKey: 'POST /x',
    rawQueryString: '',
    headers: {},
    body: JSON.stringify(body),
    requestContext: { requestId: 'r-1', http: { method: 'POST' } },
  } as unknown as HttpEvent;
  const { statusCode, body: answer = '{}' } = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: statusCode, ...(JSON.parse(answer) as { detail: string; errors: object[] }) };
}

const GOOD = { name: 'a', plan: 'free' };

describe('input that does not fit', () => {
  it('is refused with all its faults at once, each with its pointer and the name of the field', async () => {
    expect(await problemOf({ plan: 'huge', retries: 3, 'a/b': { deep: 'x' } })).toMatchObject({
      status: 400,
      code: 'invalid-input',
      detail:
        'name is required; plan must be one of free, growth; a/b.deep must be true or false; retries is not a known field',
      errors: [
        { pointer: '/name', detail: 'is required' },
        { pointer: '/plan', detail: 'must be one of free, growth' },
        { pointer: '/a~1b/deep', detail: 'must be true or false' },
        { pointer: '/retries', detail: 'is not a known field' },
      ],
    });
  });

  it.each<[object, string]>([
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'x'.repeat(51) }, 'name must have at most 50 characters'],
    [{ name: 7 }, 'name must be text'],
    [{ interval: -1 }, 'interval must be at least 0'],
    [{ interval: 1.5 }, 'interval must be a whole number'],
    [{ interval: 86_401 }, 'interval must be at most 86400'],
    [{ mail: 'x' }, 'mail must be an e-mail address'],
    [{ at: 'x' }, 'at must be a time with a zone, such as 2026-11-01T12:00:00Z'],
    [{ hosts: [] }, 'hosts must have at least 1 item'],
    [{ hosts: 'a' }, 'hosts must be a list'],
    [{ hosts: [1] }, 'hosts.0 must be text'],
    [{ code: '7' }, 'code is not written as it has to be'],
    [{ colour: 'red' }, 'colour must begin with #'],
  ])('%j: %s', async (change, detail) => {
    expect((await problemOf({ ...GOOD, ...change })).detail).toBe(detail);
  });

  it('never shows the text of the validator, and twenty faults at most', async () => {
    const schemas = [
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      z.discriminatedUnion('type', [z.object({ type: z.literal('x') }), z.object({ type: z.literal('y') })]),
      z.record(z.string().max(1), z.number()),
      z.tuple([z.string(), z.number()]),
      z.object({ n: z.number().multipleOf(2) }),
      mini.object({ a: mini.string().check(mini.minLength(3)) }),
      z.map(z.string(), z.string()),
      z.never(),
    ];
    for (const schema of schemas) {
      for (const body of [{}, [], { type: 'z', n: 3, a: 'x', long: 'x' }, 'x', null]) {
        const { status, detail } = await problemOf(body, schema);
        if (status !== 200) expect(detail).not.toMatch(/[Ii]nvalid|expected|Unrecognized|Too (small|big)/);
      }
    }
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1]));
    expect((await problemOf({ ...GOOD, ...many })).errors).toHaveLength(20);
  });
});
