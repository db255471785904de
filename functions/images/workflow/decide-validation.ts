import type { TenantKey } from '#shared/ids';
import { areDistinct, contentOf, fingerprintOf } from '../duplicates/fingerprint.ts';
import { type LookAlike, type Seen, twinAmong } from '../duplicates/twins.ts';
import type { Examination } from '../examination/examination.ts';
import type { Fingerprint, Validation } from '../validations/validation.ts';
import type { Case, Twin } from '../verdict/case.ts';
import type { Examined } from '../verdict/picture-rules.ts';
import { judge, proposalFor, purchaseOf } from '../verdict/verdict.ts';
import type { Cause, ExaminedImage, Question } from './states.ts';

/** What is to happen with a record whose images were examined. */
export type Decision =
  | { readonly next: 'done' }
  | { readonly next: 'apply'; readonly cause: Cause }
  | { readonly next: 'review'; readonly question: Question };

export interface DecideDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  readonly caseOf: (validation: Validation) => Promise<Case | undefined>;
  readonly examination: (key: TenantKey, slot: string) => Promise<Examination>;
  readonly pointTo: (key: TenantKey, pointed: { slot: string; seen: Seen; now: number }) => Promise<void>;
  readonly lookAlikes: (key: TenantKey, seen: Seen) => Promise<LookAlike[]>;
  /** The valid record with this fingerprint. */
  readonly ownerOf: (
    tenant: string,
    digest: string,
  ) => Promise<{ readonly validation: string; readonly transaction?: string | undefined } | undefined>;
}

export async function decideValidation(
  deps: DecideDeps,
  key: TenantKey,
  images: readonly ExaminedImage[],
  now: number,
): Promise<Decision> {
  const validation = await deps.validation(key);
  if (validation?.status !== 'pending') return { next: 'done' };
  const one = await deps.caseOf(validation);
  const examined = await Promise.all(
    images.map(async ({ slot, failed }): Promise<Examined> => (failed ? 'failed' : deps.examination(key, slot))),
  );
  if (!one) return { next: 'review', question: { doubts: [{ code: 0, reason: 'The campaign was deleted.' }] } };
  const likenesses = examined.flatMap((image, at) => {
    const likeness = image === 'failed' ? undefined : image.likeness;
    return likeness === undefined ? [] : [{ slot: images[at]!.slot, likeness }];
  });
  const content = contentIn(examined);
  await Promise.all(
    likenesses.map(({ slot, likeness }) => deps.pointTo(key, { slot, seen: { likeness, content }, now })),
  );
  const alike = await Promise.all(
    likenesses.map(async ({ likeness }) =>
      twinAmong({ validation, likeness, content }, await deps.lookAlikes(key, { likeness })),
    ),
  );
  const { fingerprint, twins } = await sameContent(deps, one, examined);
  const judgement = judge(one, examined, [...alike.flat(), ...twins]);
  const marked = fingerprint && { fingerprint };
  if (judgement.outcome !== 'review') {
    return { next: 'apply', cause: { kind: 'judged', verdict: judgement, ...marked } };
  }
  const proposal = proposalFor(one, examined);
  return { next: 'review', question: { doubts: [...judgement.doubts], ...(proposal && { proposal }), ...marked } };
}

/** Only of what was proven: a misread digit would make two receipts of one. */
function contentIn(examined: readonly Examined[]): string | undefined {
  const receipt = examined
    .map((image) => (image === 'failed' ? undefined : image.receipt))
    .find((read) => read?.doubts.length === 0);
  return receipt && contentOf(receipt);
}

interface Content {
  readonly fingerprint?: Fingerprint;
  readonly twins: readonly Twin[];
}

/** The same receipt on another photograph, which no likeness finds. */
async function sameContent({ ownerOf }: DecideDeps, one: Case, examined: readonly Examined[]): Promise<Content> {
  const purchase = purchaseOf(one, examined);
  const digest = purchase && fingerprintOf(purchase);
  if (!purchase || digest === undefined) return { twins: [] };
  const { transaction } = purchase;
  const owner = await ownerOf(one.campaign.tenant, digest);
  const isOther = owner !== undefined && owner.validation !== one.validation.id;
  const twin = isOther && {
    validation: owner.validation,
    by: 'content' as const,
    certain: purchase.proven && !areDistinct(transaction, owner.transaction),
  };
  return { fingerprint: { digest, transaction }, twins: twin ? [twin] : [] };
}
