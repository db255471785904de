import type { TenantKey } from '#shared/ids';
import { type LookAlike, twinAmong } from '../duplicates/twins.ts';
import { slotOf } from '../validations/picture-keys.ts';
import { isStored, type StoredImage, type Validation } from '../validations/validation.ts';
import type { Case } from '../verdict/case.ts';
import { earlyFindings } from '../verdict/early-rules.ts';
import { refusalFor } from '../verdict/verdict.ts';
import type { Cause, ImageToExamine } from './states.ts';

/** What the first state answers. `done`: the record is decided already. */
export type Prepared =
  | { readonly next: 'done' }
  | { readonly next: 'apply'; readonly cause: Cause }
  | { readonly next: 'examine'; readonly images: readonly ImageToExamine[] };

export interface PrepareDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  /** Undefined if the campaign was deleted. */
  readonly caseOf: (validation: Validation) => Promise<Case | undefined>;
  readonly pointTo: (key: TenantKey, image: StoredImage, now: number) => Promise<void>;
  readonly lookAlikes: (key: TenantKey, sha256: string) => Promise<LookAlike[]>;
}

/** What can be decided before any image is opened; otherwise the images that must be. */
export async function prepareValidation(deps: PrepareDeps, key: TenantKey, now: number): Promise<Prepared> {
  const validation = await deps.validation(key);
  if (validation?.status !== 'pending') return { next: 'done' };
  const images = validation.images.filter(isStored);
  // Before they are looked up: of two records that arrive together, at least one finds the other.
  await Promise.all(images.map((image) => deps.pointTo(key, image, now)));
  const [one, ...found] = await Promise.all([
    deps.caseOf(validation),
    ...images.map(({ sha256 }) => deps.lookAlikes(key, sha256)),
  ]);
  const twins = twinAmong({ validation }, found.flat());
  const refusal = one && earlyFindings(one, twins).find((finding) => finding.certain);
  if (refusal) return { next: 'apply', cause: { kind: 'judged', verdict: refusalFor(refusal.code) } };
  const country = one?.campaign.country;
  const { validationType } = validation;
  return {
    next: 'examine',
    images: images.map(({ key: object }) => ({
      slot: slotOf(object),
      object,
      validationType,
      ...(country !== undefined && { country }),
    })),
  };
}
