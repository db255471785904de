/** Validations as the loyalty interface leaves them: what tests of reviews and announcements begin with. */
import { pictureKey } from '../../../functions/images/validations/picture-keys.ts';
import type { StoredImage, Validation } from '../../../functions/images/validations/validation.ts';
import { newValidationWrite } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { newIntegerId } from '../cloud/integer-ids.ts';

/** A pending receipt of one image. */
export function newValidation(own: Partial<Validation> = {}): Validation {
  const now = Date.now();
  const { tenant = 'demo', id = String(newIntegerId()) } = own;
  return {
    tenant,
    id,
    revision: 1,
    app: 'demo-app',
    customer: 'demo-user',
    anonymous: false,
    validationType: 'receipt',
    campaignId: 1,
    campaignPermalink: 'demo-receipts',
    status: 'pending',
    imageCount: 1,
    images: [storedImage({ tenant, id }, 'one')],
    createdAt: isoTime(now),
    updatedAt: isoTime(now),
    restarts: 0,
    ...own,
  };
}

export const storedImage = (validation: Pick<Validation, 'tenant' | 'id'>, slot: string): StoredImage => ({
  id: `image-${slot}`,
  mimeType: 'image/jpeg',
  format: 'jpeg',
  bytes: 1_000,
  sha256: 'ab'.repeat(32),
  key: pictureKey(validation, slot),
});

export async function store(table: Table, validation: Validation): Promise<Validation> {
  const { done } = await transact(table, [newValidationWrite(table, validation)]);
  if (!done) throw new Error('The validation was not stored.');
  return validation;
}
