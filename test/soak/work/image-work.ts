import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import type { Answered, PatientClient } from '../patient-client.ts';
import type { Hooks } from './hooks.ts';
import type { Findings, Work } from './work.ts';

const USUAL = {
  startsAt: '2020-01-01T00:00:00Z',
  endsAt: '2040-01-01T00:00:00Z',
  country: 'US',
  currency: 'USD',
  maxAwards: 1_000_000,
};
/** The campaigns differ in what becomes of a submission: nobody looks at it, a person does, or its print is read. */
const CAMPAIGNS = {
  unseen: { type: 'image', pointsPerValidation: 5, reviewsEveryImage: false },
  seen: { type: 'image', pointsPerValidation: 3 },
  read: { type: 'receipt', pointsPerValidation: 7, decidesAlone: true },
} as const;
type Campaign = keyof typeof CAMPAIGNS;

/** One use in so many is a receipt, which takes seconds to read, and one in so many is sent by two customers. */
const USES_PER_RECEIPT = 12;
const USES_PER_TWINS = 4;
const DUPLICATE_CODES = [3, 10];

interface Submission {
  readonly campaign: Campaign;
  readonly customer: string;
  readonly id: string;
}

interface ManagedRecord {
  readonly id: number;
  readonly status: 'pending' | 'valid' | 'invalid';
  readonly needsReview: boolean;
  readonly campaignPermalink: string;
  readonly customer: string;
  readonly invalidCode?: number;
}

/** Pictures and receipts of new customers: each picture is awarded once, whoever sends it and however often. */
export class ImageWork implements Work {
  readonly name = 'images';
  private readonly client: PatientClient;
  private readonly hooks: Hooks;
  private readonly submitted: Submission[] = [];
  private pictures = 0;
  private rule = '';

  constructor(client: PatientClient, hooks: Hooks) {
    this.client = client;
    this.hooks = hooks;
  }

  async begin(): Promise<void> {
    for (const [permalink, fields] of Object.entries(CAMPAIGNS))
      await this.client.manageOrThrow('POST', 'loyalty/campaigns', { ...USUAL, ...fields, permalink, name: permalink });
    this.rule = await this.hooks.rule('images', 'Validation is decided', 'images-{{requestId}}-decided');
  }

  async use(number: number): Promise<void> {
    const campaign = campaignOf(number);
    const picture =
      campaign === 'read'
        ? (await receiptOfSeed(number, { country: 'US', distortion: 'clean', file: 'jpeg' }).render()).bytes
        : await blocksOfSeed(number);
    this.pictures += 1;
    const senders = number % USES_PER_TWINS === 0 ? 2 : 1;
    for (let sender = 0; sender < senders; sender += 1) await this.submit(campaign, picture);
    await this.review(20);
  }

  private async submit(campaign: Campaign, picture: Buffer): Promise<void> {
    const { id: customer } = await this.client.manageOrThrow('POST', 'loyalty/customers', {});
    const { json, text }: Answered = await this.client.app('POST', `/users/${customer}/image_validations`, {
      image_validation: {
        validation_type: CAMPAIGNS[campaign].type,
        campaign_permalink: campaign,
        images: [{ base64_data: picture.toString('base64') }],
      },
    });
    if (json?.status !== 'ok') throw new Error(`A submission of ${customer}: ${text}`);
    this.submitted.push({ campaign, customer, id: String(json.image_validation.id) });
  }

  /** Decides what waits for a person, as its reviewers do. */
  private async review(most: number): Promise<void> {
    const { items } = await this.client.manageOrThrow(
      'GET',
      `image-validations?status=pending&needsReview=true&limit=${most}`,
    );
    for (const { id } of items) {
      const { status, text } = await this.client.manage('POST', `image-validations/${id}/review`, { status: 'valid' });
      // Another reviewer was faster, or an earlier try of this one.
      if (status !== 202 && status !== 409) throw new Error(`The review of ${id}: ${status} ${text}`);
    }
  }

  async hasEnded(): Promise<boolean> {
    await this.review(100);
    return (await this.client.manageOrThrow('GET', 'image-validations?status=pending&limit=1')).items.length === 0;
  }

  async audit(): Promise<Findings> {
    const records: ManagedRecord[] = await Array.fromAsync(this.client.all('image-validations'));
    const valid = records.filter(({ status }) => status === 'valid');
    const faults = records
      .filter(({ status, invalidCode = 0 }) => status !== 'valid' && !DUPLICATE_CODES.includes(invalidCode))
      .map(({ id, status, invalidCode }) => `Validation ${id} is ${status} with code ${invalidCode}.`);
    const ids = new Set(records.map(({ id }) => String(id)));
    for (const { id } of this.submitted) if (!ids.has(id)) faults.push(`Validation ${id} is not listed.`);
    if (valid.length !== this.pictures) faults.push(`${valid.length} are valid, of ${this.pictures} pictures.`);
    for (const campaign of Object.keys(CAMPAIGNS) as Campaign[]) faults.push(...(await this.auditOf(campaign, valid)));
    const runs = records.map(({ id }) => `images-${id}-decided ${this.rule}`);
    return { faults, runs, counts: { submissions: records.length, valid: valid.length } };
  }

  private async auditOf(campaign: Campaign, valid: readonly ManagedRecord[]): Promise<string[]> {
    const faults: string[] = [];
    const awarded = valid.filter(({ campaignPermalink }) => campaignPermalink === campaign);
    const { awards } = await this.client.manageOrThrow('GET', `loyalty/campaigns/${campaign}`);
    if (awards !== awarded.length) faults.push(`${campaign} counts ${awards} awards, not ${awarded.length}.`);
    for (const { customer } of this.submitted.filter((one) => one.campaign === campaign)) {
      const { availablePoints } = await this.client.manageOrThrow('GET', `loyalty/customers/${customer}`);
      const count = awarded.filter((one) => one.customer === customer).length;
      const points = count * CAMPAIGNS[campaign].pointsPerValidation;
      if (availablePoints !== points) faults.push(`${customer} has ${availablePoints} points, not ${points}.`);
    }
    return faults;
  }
}

function campaignOf(number: number): Campaign {
  if (number % USES_PER_RECEIPT === 0) return 'read';
  return number % 2 === 0 ? 'seen' : 'unseen';
}
