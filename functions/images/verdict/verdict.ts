import { codeFor, reasonOf } from '#shared/loyalty/invalid-codes';
import type { Examination } from '../examination/examination.ts';
import { LOCALES } from '../receipts/locales.ts';
import type { ReadReceipt } from '../receipts/receipt.ts';
import { OUT_OF_TIME } from '../validations/technical-doubts.ts';
import type { Award, DoubtfulFinding, Purchase, Verdict } from '../validations/validation.ts';
import { awardFinding, duplicateFindings } from './early-rules.ts';
import { certain, doubtful, type Finding, inDoubt } from './finding.ts';
import {
  altered,
  cropped,
  type ExaminationResult,
  noPhotograph,
  noReceipt,
  unreadable,
  withoutContent,
} from './picture-rules.ts';
import { missingFields, otherRegion, outsideDates, storeOf, unproven, valuable } from './receipt-rules.ts';
import { resultsOf } from './results.ts';
import type { Duplicate, ValidationContext } from './validation-context.ts';

/** A verdict, or the findings that a person must look at, in the order of precedence of their codes. */
export type MachineVerdict = Verdict | { readonly outcome: 'review'; readonly doubts: readonly DoubtfulFinding[] };

export const refusalFor = (code: number): Verdict => ({ outcome: 'invalid', code, reason: reasonOf(code) });

/**
 * Expects findings in the order of precedence of their codes: the first certain one refuses, doubtful ones alone need a
 * person.
 */
function verdictFrom(findings: readonly Finding[], valid: () => Verdict): MachineVerdict {
  const refusal = findings.find((finding) => finding.certain);
  if (refusal) return refusalFor(refusal.code);
  if (findings.length === 0) return valid();
  return { outcome: 'review', doubts: findings.map(({ certain: _certain, ...doubt }) => doubt) };
}

/**
 * @param images all images of the validation
 * @param duplicates the duplicates of any of its images
 */
export function judge(
  context: ValidationContext,
  images: readonly ExaminationResult[],
  duplicates: readonly Duplicate[],
): MachineVerdict {
  return context.validation.validationType === 'receipt'
    ? judgeReceipt(context, images, duplicates)
    : judgeImages(context, images, duplicates);
}

function judgeImages(
  context: ValidationContext,
  images: readonly ExaminationResult[],
  duplicates: readonly Duplicate[],
): MachineVerdict {
  const { campaign, validation } = context;
  const { opened } = sorted(images);
  const at = Date.parse(validation.createdAt);
  const inTime = Date.parse(campaign.startsAt) <= at && at < Date.parse(campaign.endsAt);
  const findings = [
    ...awardFinding(context),
    ...images.flatMap((image) => unreadable(image, 'image')),
    ...opened.flatMap(withoutContent),
    ...duplicateFindings(context, duplicates),
    // The time in a camera's metadata is not trusted, because the sender can write it.
    ...(inTime ? [] : [certain(codeFor('outsideDates', 'image'))]),
    ...opened.flatMap(altered),
    ...(campaign.reviewsEveryImage
      ? [doubtful(codeFor('unrelated', 'image'), 'Only a person can tell whether it belongs to the campaign.')]
      : opened.flatMap(noPhotograph)),
  ];
  return verdictFrom(findings, () => ({ outcome: 'valid', results: [] }));
}

/** Several images repeat or continue one receipt. One of them must show all of it. */
function judgeReceipt(
  context: ValidationContext,
  images: readonly ExaminationResult[],
  duplicates: readonly Duplicate[],
): MachineVerdict {
  const { opened, main } = sorted(images);
  const poor = images.filter((image) => image !== main).flatMap((image) => unreadable(image, 'receipt'));
  if (!main) {
    return verdictFrom([...awardFinding(context), ...poor], impossible);
  }
  if (main.outOfTime) {
    // A field may be missing because the search for it was cut short.
    const unfinished = doubtful(codeFor('unreadable', 'receipt'), OUT_OF_TIME);
    return verdictFrom(
      [...awardFinding(context), ...duplicateFindings(context, duplicates), unfinished, ...opened.flatMap(altered)],
      impossible,
    );
  }
  const readable = unreadable(main, 'receipt');
  const receipt = main.receipt;
  const picture = [...noReceipt(main), ...cropped(main)];
  const before = [...awardFinding(context), ...readable, ...picture, ...duplicateFindings(context, duplicates)];
  if (!receipt)
    return verdictFrom([...before, doubtful(codeFor('unreadable', 'receipt'), 'Nothing was read.')], impossible);
  const store = storeOf(receipt, context);
  const results = resultsOf(context.validation.id, receipt, context.campaign.products);
  const content = [
    ...missingFields(receipt),
    ...outsideDates(receipt, context),
    ...store.findings,
    ...otherRegion(receipt, context.campaign),
    ...results.findings,
    ...unproven(receipt),
    ...differing(receipt, opened, main),
  ];
  const findings = [
    ...before,
    // Without `decidesAlone`, of the campaign or else of its country, a person decides: what was read refuses no receipt.
    ...((context.campaign.decidesAlone ?? LOCALES[context.campaign.country]?.decidesAlone)
      ? content
      : [...content.map(inDoubt), doubtful(codeFor('unreadable', 'receipt'), askedFor(context.campaign))]),
    ...opened.flatMap(altered),
    ...valuable(receipt, context.campaign),
    // An unreadable image is harmless beside one that shows everything.
    ...poor.filter((finding) => !finding.certain),
  ];
  const { date: receiptDate } = receipt;
  return verdictFrom(findings, () => ({
    outcome: 'valid',
    storeName: store.name,
    receiptDate,
    results: results.lines,
  }));
}

/** Returns all images that could be opened, and the one with the fewest doubts. */
function sorted(images: readonly ExaminationResult[]): {
  opened: readonly Examination[];
  main: Examination | undefined;
} {
  const opened = images.filter((image): image is Examination => image !== 'failed' && image.problem === undefined);
  return { opened, main: opened.toSorted((a, b) => doubtsOf(a) - doubtsOf(b))[0] };
}

/** The award that applies if a person confirms what was read. */
export function proposalFor(context: ValidationContext, images: readonly ExaminationResult[]): Award | undefined {
  const receipt = sorted(images).main?.receipt;
  if (!receipt) return undefined;
  const { lines } = resultsOf(context.validation.id, receipt, context.campaign.products);
  return { storeName: storeOf(receipt, context).name, receiptDate: receipt.date, results: lines };
}

interface ReadPurchase extends Purchase {
  /** True if the reading has no doubts. */
  readonly proven: boolean;
}

/** The purchase by which the receipt is recognised in another photograph. */
export function purchaseOf(context: ValidationContext, images: readonly ExaminationResult[]): ReadPurchase | undefined {
  const receipt = sorted(images).main?.receipt;
  if (!receipt) return undefined;
  const { date, time, number: transaction, total, doubts } = receipt;
  return { store: storeOf(receipt, context).name, date, time, transaction, total, proven: doubts.length === 0 };
}

/** Why a person decides a receipt in which nothing else is in doubt. */
const askedFor = ({ decidesAlone }: ValidationContext['campaign']) =>
  decidesAlone === false
    ? 'Receipts in this campaign always need a decision by a person.'
    : "Receipts of the campaign's country always need a decision by a person.";

const doubtsOf = ({ receipt }: Examination) => receipt?.doubts.length ?? Number.POSITIVE_INFINITY;

/** A validation with two different receipts needs a person, because only one of them would count. */
function differing(receipt: ReadReceipt, opened: readonly Examination[], main: Examination): Finding[] {
  const others = opened.filter((image) => image !== main).flatMap((image) => image.receipt ?? []);
  const same = others.every(({ total, date }) => total === receipt.total && date === receipt.date);
  return same
    ? []
    : [doubtful(codeFor('unreadable', 'receipt'), 'The images show different receipts, or parts of one.')];
}

const impossible = (): never => {
  throw new Error('A validation without a readable image cannot be valid.');
};
