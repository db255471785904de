import { examineImage } from '../../../functions/images/examination/examine-image.sharp.ts';
import type { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { openFile } from '../../../functions/images/opening/open-file.sharp.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import type { ReadReceipt } from '../../../functions/images/receipts/receipt.ts';
import { judge } from '../../../functions/images/verdict/verdict.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';

/** The time of an image, part of which is counted by the clock on the wall, although this machine may be busy. */
export const IMAGE_MILLIS = 18_000;
/** Of one reading, which ends by the clock on the wall: far more than any page takes. */
export const PAGE_MILLIS = 240_000;

export interface ExaminedReceipt {
  readonly receipt: Partial<ReadReceipt>;
  /** `valid`, `review`, or `invalid` with the code. */
  readonly verdict: string;
  /** Of all threads: what other processes do on the machine does not count. */
  readonly cpuMs: number;
}

export const cpuMillis = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Examines a picture and judges it, for a campaign of these stores that takes receipts of any day. */
export async function examinedReceipt(
  bytes: Uint8Array,
  { country, stores, ocr }: { readonly country: string; readonly stores: readonly string[]; readonly ocr: OnnxOcr },
): Promise<ExaminedReceipt> {
  const before = cpuMillis();
  const examination = await examineImage(bytes, {
    validationType: 'receipt',
    country,
    timeLimitMs: IMAGE_MILLIS,
    parts: { opener: { open: openFile }, ocr, clock: cpuMillis },
  });
  const cpuMs = cpuMillis() - before;
  const campaign = imageCampaign({
    tenant: 'bench',
    permalink: 'any-day',
    startsAt: '2010-01-01T00:00:00.000Z',
    endsAt: '2040-01-01T00:00:00.000Z',
    country,
    currency: LOCALES[country]?.currency ?? '',
    stores: [...stores],
  });
  const judgement = judge(
    {
      validation: { id: '1', validationType: 'receipt', createdAt: '2039-12-31T00:00:00.000Z' },
      campaign,
      awards: { ofCustomer: 0, total: 0 },
      linkedStores: [],
    },
    [examination],
    [],
  );
  const verdict = judgement.outcome === 'invalid' ? `invalid ${judgement.code}` : judgement.outcome;
  return { receipt: examination.receipt ?? {}, verdict, cpuMs };
}
