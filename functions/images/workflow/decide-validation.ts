import type { TenantKey } from '#shared/ids';
import { areDistinct, contentOf, fingerprintOf } from '../duplicates/fingerprint.ts';
import type { Scope } from '../duplicates/pointer.ts';
import { type LookAlike, type Seen, strongest, twinsAmong } from '../duplicates/twins.ts';
import type { Examination } from '../examination/examination.ts';
import type { ExaminedImage } from '../examining/image-task.ts';
import { slotOf } from '../validations/picture-keys.ts';
import { type Fingerprint, isStored, type Validation } from '../validations/validation.ts';
import type { Case, Twin } from '../verdict/case.ts';
import type { Examined } from '../verdict/picture-rules.ts';
import { judge, proposalFor, purchaseOf } from '../verdict/verdict.ts';
import type { Cause, Question } from './states.ts';

/** What is to happen with a record whose images were examined. */
export type Decision =
  | { readonly next: 'done' }
  | { readonly next: 'apply'; readonly cause: Cause }
  | { readonly next: 'review'; readonly question: Question };

export interface DecideDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  readonly caseOf: (validation: Validation) => Promise<Case | undefined>;
  readonly examination: (key: TenantKey, slot: string) => Promise<Examination>;
  readonly pointTo: (validation: Validation, pointed: { slot: string; seen: Seen; now: number }) => Promise<void>;
  readonly lookAlikes: (validation: Validation, seen: Seen & { readonly scope: Scope }) => Promise<LookAlike[]>;
  /** The valid record with this fingerprint. */
  readonly ownerOf: (
    where: Pick<Validation, 'tenant' | 'campaignId'>,
    print: { readonly digest: string; readonly scope: Scope },
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
  const pictures = picturesOf(validation, images, examined);
  const content = contentIn(examined);
  await Promise.all(
    pictures.map(async ({ slot, likeness }) => {
      if (likeness !== undefined) await deps.pointTo(validation, { slot, seen: { likeness, content }, now });
    }),
  );
  const scope = one.campaign.receiptsOnce;
  const alike = await Promise.all(
    pictures.map(async ({ sha256, likeness }) =>
      twinsAmong(
        { validation, likeness, content },
        await deps.lookAlikes(validation, { ...(sha256 !== undefined && { sha256 }), likeness, scope }),
      ),
    ),
  );
  const { fingerprint, twins } = await sameContent(deps, one, examined);
  const judgement = judge(one, examined, [...strongest(alike.flat()), ...twins]);
  const marked = fingerprint && { fingerprint };
  if (judgement.outcome !== 'review') {
    return { next: 'apply', cause: { kind: 'judged', verdict: judgement, ...marked } };
  }
  const proposal = proposalFor(one, examined);
  return { next: 'review', question: { doubts: [...judgement.doubts], ...(proposal && { proposal }), ...marked } };
}

/** What images of the record are looked up by. */
function picturesOf(validation: Validation, images: readonly ExaminedImage[], examined: readonly Examined[]) {
  const stored = new Map(validation.images.filter(isStored).map(({ key, sha256 }) => [slotOf(key), sha256]));
  return images.map(({ slot }, at) => {
    const image = examined[at];
    return {
      slot,
      sha256: stored.get(slot),
      likeness: image === undefined || image === 'failed' ? undefined : image.likeness,
    };
  });
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
  const { tenant, campaignId, receiptsOnce: scope } = one.campaign;
  const owner = await ownerOf({ tenant, campaignId }, { digest, scope });
  const isOther = owner !== undefined && owner.validation !== one.validation.id;
  const twin = isOther && {
    validation: owner.validation,
    by: 'content' as const,
    certain: purchase.proven && !areDistinct(transaction, owner.transaction),
    undecided: false,
  };
  return { fingerprint: { digest, transaction }, twins: twin ? [twin] : [] };
}
