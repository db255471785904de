import type { TenantKey } from '#shared/ids';
import { duplicatesAmong, type ImageTraits, type LookAlike, strongest } from '../duplicates/duplicate-images.ts';
import { areDistinct, dayAndTotal, fingerprintOf } from '../duplicates/fingerprint.ts';
import type { Scope } from '../duplicates/pointer.ts';
import type { Examination } from '../examination/examination.ts';
import type { ExaminedImage } from '../examining/image-task.ts';
import { imageNameOf } from '../validations/picture-keys.ts';
import { type Fingerprint, isStored, type Validation } from '../validations/validation.ts';
import type { ExaminationResult } from '../verdict/picture-rules.ts';
import type { Duplicate, ValidationContext } from '../verdict/validation-context.ts';
import { judge, proposalFor, purchaseOf } from '../verdict/verdict.ts';
import type { Cause, Question } from './states.ts';

/** The next step for a validation with examined images. */
export type DecideResult =
  | { readonly next: 'done' }
  | { readonly next: 'apply'; readonly cause: Cause }
  | { readonly next: 'review'; readonly question: Question };

export interface DecideDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  readonly contextOf: (validation: Validation) => Promise<ValidationContext | undefined>;
  readonly examination: (key: TenantKey, name: string) => Promise<Examination>;
  readonly pointTo: (
    validation: Validation,
    image: { name: string; traits: ImageTraits; now: number },
  ) => Promise<void>;
  readonly lookAlikes: (
    validation: Validation,
    traits: ImageTraits & { readonly scope: Scope },
  ) => Promise<LookAlike[]>;
  /** Finds the valid validation with this fingerprint. */
  readonly ownerOf: (
    where: Pick<Validation, 'tenant' | 'campaignId'>,
    reservation: { readonly digest: string; readonly scope: Scope },
  ) => Promise<{ readonly validation: string; readonly transaction?: string | undefined } | undefined>;
}

export async function decideValidation(
  deps: DecideDeps,
  key: TenantKey,
  images: readonly ExaminedImage[],
  now: number,
): Promise<DecideResult> {
  const validation = await deps.validation(key);
  if (validation?.status !== 'pending') return { next: 'done' };
  const context = await deps.contextOf(validation);
  const examined = await Promise.all(
    images.map(
      async ({ name, failed }): Promise<ExaminationResult> => (failed ? 'failed' : deps.examination(key, name)),
    ),
  );
  if (!context) return { next: 'review', question: { doubts: [{ code: 0, reason: 'The campaign was deleted.' }] } };
  const pictures = picturesOf(validation, images, examined);
  const content = contentIn(examined);
  await Promise.all(
    pictures.map(async ({ name, perceptualHash }) => {
      if (perceptualHash !== undefined)
        await deps.pointTo(validation, { name, traits: { perceptualHash, content }, now });
    }),
  );
  const scope = context.campaign.receiptsOnce;
  const alike = await Promise.all(
    pictures.map(async ({ sha256, perceptualHash }) =>
      duplicatesAmong(
        { validation, perceptualHash, content },
        await deps.lookAlikes(validation, { ...(sha256 !== undefined && { sha256 }), perceptualHash, scope }),
      ),
    ),
  );
  const { fingerprint, duplicates } = await sameContent(deps, context, examined);
  const verdict = judge(context, examined, [...strongest(alike.flat()), ...duplicates]);
  const recognition = fingerprint && { fingerprint };
  if (verdict.outcome !== 'review') {
    return { next: 'apply', cause: { kind: 'judged', verdict, ...recognition } };
  }
  const proposal = proposalFor(context, examined);
  return { next: 'review', question: { doubts: [...verdict.doubts], ...(proposal && { proposal }), ...recognition } };
}

/** The names, hashes and perceptual hashes of the images, by which duplicates are found. */
function picturesOf(validation: Validation, images: readonly ExaminedImage[], examined: readonly ExaminationResult[]) {
  const stored = new Map(validation.images.filter(isStored).map(({ key, sha256 }) => [imageNameOf(key), sha256]));
  return images.map(({ name }, at) => {
    const image = examined[at];
    return {
      name,
      sha256: stored.get(name),
      perceptualHash: image === undefined || image === 'failed' ? undefined : image.perceptualHash,
    };
  });
}

/** The content comes from a proven reading only: a misread digit would make two receipts of one. */
function contentIn(examined: readonly ExaminationResult[]): string | undefined {
  const receipt = examined
    .map((image) => (image === 'failed' ? undefined : image.receipt))
    .find((read) => read?.doubts.length === 0);
  return receipt && dayAndTotal(receipt);
}

interface Content {
  readonly fingerprint?: Fingerprint;
  readonly duplicates: readonly Duplicate[];
}

/** Finds the same receipt in another photograph, which has another perceptual hash. */
async function sameContent(
  { ownerOf }: DecideDeps,
  context: ValidationContext,
  examined: readonly ExaminationResult[],
): Promise<Content> {
  const purchase = purchaseOf(context, examined);
  const digest = purchase && fingerprintOf(purchase);
  if (!purchase || digest === undefined) return { duplicates: [] };
  const { transaction } = purchase;
  const { tenant, campaignId, receiptsOnce: scope } = context.campaign;
  const owner = await ownerOf({ tenant, campaignId }, { digest, scope });
  const isOther = owner !== undefined && owner.validation !== context.validation.id;
  const duplicate = isOther && {
    validation: owner.validation,
    by: 'content' as const,
    certain: purchase.proven && !areDistinct(transaction, owner.transaction),
    undecided: false,
  };
  return { fingerprint: { digest, transaction }, duplicates: duplicate ? [duplicate] : [] };
}
