import type { TenantKey } from '#shared/ids';
import { duplicatesAmong, type LookAlike } from '../duplicates/duplicate-images.ts';
import type { Scope } from '../duplicates/pointer.ts';
import type { ImageToExamine } from '../examining/image-task.ts';
import { laneOf } from '../examining/lane.ts';
import { imageNameOf } from '../validations/picture-keys.ts';
import { isStored, type StoredImage, type Validation } from '../validations/validation.ts';
import { earlyFindings } from '../verdict/early-rules.ts';
import type { ValidationContext } from '../verdict/validation-context.ts';
import { refusalFor } from '../verdict/verdict.ts';
import type { Cause } from './states.ts';

/** The answer of the first state. `done`: the validation is already decided. */
export type PrepareResult =
  | { readonly next: 'done' }
  | { readonly next: 'apply'; readonly cause: Cause }
  | { readonly next: 'examine'; readonly images: readonly ImageToExamine[] };

export interface PrepareDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  /** Undefined if the campaign was deleted. */
  readonly contextOf: (validation: Validation) => Promise<ValidationContext | undefined>;
  readonly pointTo: (validation: Validation, image: StoredImage, now: number) => Promise<void>;
  readonly lookAlikes: (validation: Validation, sha256: string, scope: Scope) => Promise<LookAlike[]>;
  /** The number of images of one app that are examined at the same time. */
  readonly lanes: number;
}

/** Decides what needs no image; otherwise returns the images to examine. */
export async function prepareValidation(deps: PrepareDeps, key: TenantKey, now: number): Promise<PrepareResult> {
  const validation = await deps.validation(key);
  if (validation?.status !== 'pending') return { next: 'done' };
  const images = validation.images.filter(isStored);
  // Pointers are stored before the search: of two validations that arrive together, at least one finds the other.
  const [context] = await Promise.all([
    deps.contextOf(validation),
    ...images.map((image) => deps.pointTo(validation, image, now)),
  ]);
  const scope = context?.campaign.receiptsOnce ?? 'campaign';
  const alike = await Promise.all(images.map(({ sha256 }) => deps.lookAlikes(validation, sha256, scope)));
  const duplicates = duplicatesAmong({ validation }, alike.flat());
  const refusal = context && earlyFindings(context, duplicates).find((finding) => finding.certain);
  if (refusal) return { next: 'apply', cause: { kind: 'judged', verdict: refusalFor(refusal.code) } };
  const country = context?.campaign.country;
  const { validationType, app } = validation;
  return {
    next: 'examine',
    images: images.map(({ key: object }) => ({
      name: imageNameOf(object),
      object,
      validationType,
      ...(country !== undefined && { country }),
      lane: laneOf(imageNameOf(object), { tenant: key.tenant, app, lanes: deps.lanes }),
    })),
  };
}
