import type { Examination } from '../examination/examination.ts';
import type { ReadReceipt } from '../receipts/receipt.ts';
import type { Award, Doubt, Purchase, Verdict } from '../validations/validation.ts';
import type { Case, Twin } from './case.ts';
import { codeFor, reasonOf } from './codes.ts';
import { awardFinding, twinFindings } from './early-rules.ts';
import { certain, doubtful, type Finding } from './finding.ts';
import {
  altered,
  cropped,
  type Examined,
  noPhotograph,
  noReceipt,
  unreadable,
  withoutContent,
} from './picture-rules.ts';
import { missingFields, otherRegion, outsideDates, storeOf, unproven, valuable } from './receipt-rules.ts';
import { resultsOf } from './results.ts';

/** A verdict, or why a person must give it: the doubts in the order of their codes' precedence. */
export type Judgement = Verdict | { readonly outcome: 'review'; readonly doubts: readonly Doubt[] };

export const refusalFor = (code: number): Verdict => ({ outcome: 'invalid', code, reason: reasonOf(code) });

/** Findings in the order in which codes are given: the first that is certain refuses; doubts alone call a person. */
function concluded(findings: readonly Finding[], valid: () => Verdict): Judgement {
  const refusal = findings.find((finding) => finding.certain);
  if (refusal) return refusalFor(refusal.code);
  if (findings.length === 0) return valid();
  return { outcome: 'review', doubts: findings.map(({ certain: _certain, ...doubt }) => doubt) };
}

/** @param images all of the record's; @param twins of any of them */
export function judge(one: Case, images: readonly Examined[], twins: readonly Twin[]): Judgement {
  return one.validation.validationType === 'receipt'
    ? judgeReceipt(one, images, twins)
    : judgeImages(one, images, twins);
}

function judgeImages(one: Case, images: readonly Examined[], twins: readonly Twin[]): Judgement {
  const { campaign, validation } = one;
  const { opened } = sorted(images);
  const at = Date.parse(validation.createdAt);
  const inTime = Date.parse(campaign.startsAt) <= at && at < Date.parse(campaign.endsAt);
  const findings = [
    ...awardFinding(one),
    ...images.flatMap((image) => unreadable(image, 'image')),
    ...opened.flatMap(withoutContent),
    ...twinFindings(one, twins),
    // What a camera writes about the time is in the hands of whoever sends the file.
    ...(inTime ? [] : [certain(codeFor('outsideDates', 'image'))]),
    ...opened.flatMap(altered),
    ...(campaign.reviewsEveryImage
      ? [doubtful(9, 'Whether it belongs to the campaign, only a person can tell.')]
      : opened.flatMap(noPhotograph)),
  ];
  return concluded(findings, () => ({ outcome: 'valid', results: [] }));
}

/** Several images are parts or repetitions of one receipt: one of them must show all of it. */
function judgeReceipt(one: Case, images: readonly Examined[], twins: readonly Twin[]): Judgement {
  const { opened, main } = sorted(images);
  const poor = images.filter((image) => image !== main).flatMap((image) => unreadable(image, 'receipt'));
  if (!main) {
    return concluded([...awardFinding(one), ...poor], impossible);
  }
  if (main.outOfTime) {
    // What was not found was not looked for.
    const late = doubtful(1, 'Reading the image ran out of time.');
    return concluded([...awardFinding(one), ...twinFindings(one, twins), late, ...opened.flatMap(altered)], impossible);
  }
  const readable = unreadable(main, 'receipt');
  const receipt = main.receipt;
  const picture = [...noReceipt(main), ...cropped(main)];
  const before = [...awardFinding(one), ...readable, ...picture, ...twinFindings(one, twins)];
  if (!receipt) return concluded([...before, doubtful(1, 'Nothing was read.')], impossible);
  const store = storeOf(receipt, one);
  const results = resultsOf(one.validation.id, receipt, one.campaign.products);
  const findings = [
    ...before,
    ...missingFields(receipt),
    ...outsideDates(receipt, one),
    ...store.findings,
    ...otherRegion(receipt, one.campaign),
    ...results.findings,
    ...unproven(receipt),
    ...differing(receipt, opened, main),
    ...opened.flatMap(altered),
    ...valuable(receipt, one.campaign),
    // An image that cannot be read does no harm beside one that shows everything.
    ...poor.filter((finding) => !finding.certain),
  ];
  const { date: receiptDate } = receipt;
  return concluded(findings, () => ({ outcome: 'valid', storeName: store.name, receiptDate, results: results.lines }));
}

/** The image that shows most of the receipt, and all that could be opened. */
function sorted(images: readonly Examined[]): { opened: readonly Examination[]; main: Examination | undefined } {
  const opened = images.filter((image): image is Examination => image !== 'failed' && image.problem === undefined);
  return { opened, main: opened.toSorted((a, b) => doubtsOf(a) - doubtsOf(b))[0] };
}

/** What a record shows if a person finds nothing wrong with what was read. */
export function proposalFor(one: Case, images: readonly Examined[]): Award | undefined {
  const receipt = sorted(images).main?.receipt;
  if (!receipt) return undefined;
  const { lines } = resultsOf(one.validation.id, receipt, one.campaign.products);
  return { storeName: storeOf(receipt, one).name, receiptDate: receipt.date, results: lines };
}

interface PurchaseRead extends Purchase {
  /** Nothing of it is in doubt. */
  readonly proven: boolean;
}

/** What the receipt is recognised by, if it is photographed again. */
export function purchaseOf(one: Case, images: readonly Examined[]): PurchaseRead | undefined {
  const receipt = sorted(images).main?.receipt;
  if (!receipt) return undefined;
  const { date, time, number: transaction, total, doubts } = receipt;
  return { store: storeOf(receipt, one).name, date, time, transaction, total, proven: doubts.length === 0 };
}

const doubtsOf = ({ receipt }: Examination) => receipt?.doubts.length ?? Number.POSITIVE_INFINITY;

/** Two receipts in one record: only one of them would count. */
function differing(receipt: ReadReceipt, opened: readonly Examination[], main: Examination): Finding[] {
  const others = opened.filter((image) => image !== main).flatMap((image) => image.receipt ?? []);
  const same = others.every(({ total, date }) => total === receipt.total && date === receipt.date);
  return same ? [] : [doubtful(1, 'The images show different receipts, or parts of one.')];
}

const impossible = (): never => {
  throw new Error('A record without a readable image cannot be valid.');
};
