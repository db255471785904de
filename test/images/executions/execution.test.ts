import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examiningExecution, executionName } from '../../../functions/images/executions/execution.ts';

const tenant = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/);
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String);
const suffix = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((restarts) => `examine-${restarts}`),
  fc.constant('decided'),
  fc.integer({ min: 1, max: 1_000_000 }).map((revision) => `${revision}-late`),
);

describe('the name of an execution', () => {
  it('is accepted by Step Functions', () => {
    fc.assert(
      fc.property(tenant, id, suffix, (of, validation, end) => {
        expect(executionName({ tenant: of, id: validation }, end)).toMatch(/^[A-Za-z0-9-]{1,80}$/);
      }),
    );
  });

  it.each([
    ['begin alike', /^t{50}[ab]{1,13}$/],
    ['look like parts of a name', /^t(-[1-3])*$/],
  ])('distinguishes validations of tenants whose ids %s, and what starts them', (_what, tenants) => {
    const few = fc.integer({ min: 1, max: 3 }).map(String);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.stringMatching(tenants), fc.oneof(id, few), suffix), {
          minLength: 2,
          selector: (one) => one.join(' '),
        }),
        (all) => {
          const names = all.map(([of, validation, end]) => executionName({ tenant: of, id: validation }, end));
          expect(new Set(names).size).toBe(names.length);
        },
      ),
    );
  });
});

it('the execution that examines a validation takes over the origin of its submission', () => {
  const [subject, origin] = [{ tenant: 'demo', id: '7' }, '1-5759e988-bd862e3fe1be46a994272793'];
  const input = { ...subject, stage: 'examine' };
  expect(examiningExecution({ ...subject, restarts: 1, origin })).toEqual([
    'iv-demo-7-examine-1',
    { ...input, origin },
  ]);
  expect(examiningExecution({ ...subject, restarts: 1 })).toEqual(['iv-demo-7-examine-1', input]);
});
