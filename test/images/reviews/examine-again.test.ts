import { describe, expect, it } from 'vitest';
import { READER_VERSION } from '../../../functions/images/examination/examination.ts';
import { examineAgain } from '../../../functions/images/reviews/examine-again.ts';
import type { ReviewItem } from '../../../functions/images/validations/review.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { newValidation } from '../../support/images/validations.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const AT = new Date(NOW).toISOString();
const FAILED = 'The image could not be examined.';

/** A validation that awaits a person for this reason. */
const waiting = (reason = FAILED, more: Partial<Validation> = {}): Validation => ({
  ...newValidation(),
  status: 'pending',
  revision: 4,
  review: { requestedAt: AT, until: '2026-11-18T10:30:00.000Z', doubts: [{ reason, code: 1 }] },
  ...more,
});

interface State {
  readonly reader?: number | undefined;
  readonly review?: Partial<ReviewItem>;
  /** The names of executions that have ended. */
  readonly ended?: readonly string[];
}

function desk(validation: Validation | undefined, { reader = READER_VERSION, review, ended = [] }: State = {}) {
  const names = new Set<string>();
  const deps: Parameters<typeof examineAgain>[0] = {
    reviews: {
      validation: async () => validation,
      review: async () => review && { tenant: 'acme', id: validation?.id ?? '', requestedAt: AT, ...review },
    },
    view: async (_key, image) => ({ image, examination: { reader } }),
    machine: {
      start: async (name, input) => {
        expect(input).toEqual({ tenant: validation?.tenant, id: validation?.id, stage: 'examine' });
        names.add(name);
        return ended.some((suffix) => name.endsWith(suffix)) ? undefined : NOW;
      },
    },
  };
  const again = (by = 'rita') =>
    examineAgain(deps, { tenant: validation?.tenant ?? '', id: validation?.id ?? '' }, { by, now: NOW });
  return { again, names: () => [...names] };
}

describe('another examination', () => {
  it('starts one execution, however often the call is repeated', async () => {
    const { again, names } = desk(waiting());
    await Promise.all([again(), again(), again()]);
    expect(names()).toEqual([expect.stringMatching(/-again-4-1$/)]);
  });

  it('starts the next execution if the last one has ended without a result, three at most', async () => {
    const second = desk(waiting(), { ended: ['-again-4-1'] });
    await second.again();
    expect(second.names()[1]).toMatch(/-again-4-2$/);
    const none = desk(waiting(), { ended: ['-1', '-2', '-3'] });
    await expect(none.again()).rejects.toMatchObject({ status: 409, code: 'examination-failed' });
    expect(none.names()).toHaveLength(3);
  });

  it.each([
    ['whose reading ran out of time', waiting('Reading the image ran out of time.'), {}],
    ['that an older reader has read', waiting('The total is in doubt.'), { reader: READER_VERSION - 1 }],
    ['with a claim of the caller', waiting(), { review: { claim: { by: 'rita', until: '2026-11-15T10:35:00.000Z' } } }],
  ])('is possible for a validation %s', async (_what, validation, state) => {
    const { again, names } = desk(validation, state);
    await again();
    expect(names()).toHaveLength(1);
  });

  const decision = { status: 'invalid', invalidCode: 1, at: AT } as const;
  it.each([
    ['that the present reader has read completely', waiting('The total is in doubt.'), {}, 'needs-no-examination'],
    [
      'of a photograph without a technical failure',
      waiting('Only a person can tell.', { validationType: 'image' }),
      { reader: 0 },
      'needs-no-examination',
    ],
    ['that a person has decided', waiting(), { review: { decision } }, 'needs-no-examination'],
    ['whose review is over', waiting(), { review: { isOver: true } }, 'needs-no-examination'],
    ['that is valid', waiting(FAILED, { status: 'valid' }), {}, 'needs-no-examination'],
    ['that is being examined', waiting(FAILED, { review: undefined }), {}, 'needs-no-examination'],
    [
      'that another person has claimed',
      waiting(),
      { review: { claim: { by: 'paul', until: '2026-11-15T10:35:00.000Z' } } },
      'claimed',
    ],
    ['that does not exist', undefined, {}, 'not-found'],
  ] as const)('is refused for a validation %s, and starts nothing', async (_what, validation, state, code) => {
    const { again, names } = desk(validation, state);
    await expect(again()).rejects.toMatchObject({ code });
    expect(names()).toEqual([]);
  });
});
