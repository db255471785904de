import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { queryPage } from '#shared/table/queries.dynamodb';
import { getItems, type Key, type Table } from '#shared/table/table.dynamodb';
import { deleteItem, putItem } from '#shared/table/writes.dynamodb';
import { POINTER } from '../table-keys.ts';
import { PICTURE_RETENTION_DAYS } from '../validations/picture-keys.ts';
import { validationIn, validationKey } from '../validations/validation-items.dynamodb.ts';
import type { ImageTraits, LookAlike } from './duplicate-images.ts';
import { pointersOf, type Scope, type ScopedValidation } from './pointer.ts';

/**
 * Only the oldest entries of a partition are read: thousands of receipts may share one part of a perceptual hash, and the
 * oldest validation of a picture counts.
 */
const OF_A_POINTER = 50;

const PointerItem = z.object({
  validation: z.string(),
  perceptualHash: z.optional(z.string()),
  content: z.optional(z.string()),
});

const partition = (tenant: string, pointer: string) => `${POINTER}${tenant}#${pointer}`;

const pointerKey = ({ tenant, id }: TenantKey, pointer: string, name: string): Key => ({
  pk: partition(tenant, pointer),
  sk: `${id.padStart(16, '0')}#${name}`,
});

/** Stores pointers by which other validations find this image. It is idempotent. */
export async function pointTo(
  table: Table,
  { tenant, id }: TenantKey,
  { name, traits, now }: { name: string; traits: ImageTraits; now: number },
): Promise<void> {
  const ttl = Math.ceil(now / 1_000) + PICTURE_RETENTION_DAYS * 86_400;
  const entry = { validation: id, perceptualHash: traits.perceptualHash, content: traits.content, ttl };
  const put = (pointer: string) => putItem(table, { ...pointerKey({ tenant, id }, pointer, name), ...entry });
  await Promise.all(pointersOf(traits).map(put));
}

/** Removes the pointers that `pointTo` has stored. */
export async function removePointers(
  table: Table,
  key: TenantKey,
  { name, traits }: { name: string; traits: ImageTraits },
): Promise<void> {
  await Promise.all(pointersOf(traits).map((pointer) => deleteItem(table, pointerKey(key, pointer, name))));
}

/** Finds other validations in this scope with an image that has the same bytes or shares a part of the perceptual hash. */
export async function lookAlikesOf(
  table: Table,
  { tenant, id, campaignId }: ScopedValidation,
  { scope, ...traits }: ImageTraits & { readonly scope: Scope },
): Promise<LookAlike[]> {
  const pages = await Promise.all(pointersOf(traits).map((pointer) => oldestOf(table, tenant, pointer)));
  const pointers = new Map(
    pages
      .flat()
      .filter(({ validation }) => validation !== id)
      .map((pointer) => [keyOf(pointer), pointer]),
  );
  const ids = [...new Set([...pointers.values()].map(({ validation }) => validation))];
  const items = await getItems(
    table,
    ids.map((other) => validationKey({ tenant, id: other })),
  );
  const validations = new Map(items.map((item) => validationIn(item)).map((validation) => [validation.id, validation]));
  return [...pointers.values()].flatMap(({ validation, perceptualHash, content }) => {
    const other = validations.get(validation);
    const counts = scope === 'tenant' || other?.campaignId === campaignId;
    return other && counts ? [{ validation: other, perceptualHash, content }] : [];
  });
}

const keyOf = ({ validation, perceptualHash }: z.output<typeof PointerItem>) => `${validation}#${perceptualHash}`;

async function oldestOf(table: Table, tenant: string, pointer: string) {
  // The read is consistent: of two validations that arrive at the same time, each must see the other.
  const query = { where: 'pk = :pk', values: { pk: partition(tenant, pointer) }, limit: OF_A_POINTER };
  return (await queryPage(table, query)).items.map((item) => PointerItem.parse(item));
}
