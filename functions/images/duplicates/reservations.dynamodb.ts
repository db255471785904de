import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Key, type Table } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { RESERVATION } from '../table-keys.ts';
import type { Scope, ScopedValidation } from './pointer.ts';

/** A reservation lets the bytes of an image, or a purchase, be awarded once in its scope. */
export interface Reservation {
  readonly kind: 'bytes' | 'content';
  /** The digest is in hexadecimal. */
  readonly digest: string;
  /** The transaction number of the purchase. */
  readonly transaction?: string | undefined;
}

/** The validation that was awarded for it. */
const Owner = z.object({ validation: z.string(), transaction: z.optional(z.string()) });
type Owner = z.output<typeof Owner>;

/**
 * One item for each of a tenant. `latest` names the validation that was awarded last in any campaign; one attribute
 * per campaign names the validation awarded there. Items of earlier versions name one validation for the whole tenant.
 */
const ReservationItem = z.looseObject({ latest: z.optional(Owner), validation: z.optional(z.string()) });

const reservationKey = (tenant: string, { kind, digest }: Pick<Reservation, 'kind' | 'digest'>): Key => ({
  pk: `${RESERVATION}${tenant}#${kind}#${digest}`,
  sk: 'RESERVATION',
});

const attributeOf = ({ campaignId }: Pick<ScopedValidation, 'campaignId'>) => `campaign#${campaignId}`;

/** A transaction item that reserves it for a validation. It is refused if another one holds it in this scope. */
export function reservationWrite(
  { name }: Table,
  { id, ...where }: ScopedValidation,
  { scope, transaction, ...reservation }: Reservation & { readonly scope: Scope },
): TransactWriteItem {
  const owned = scope === 'tenant' ? 'latest' : '#campaign';
  return updateWrite(name, reservationKey(where.tenant, reservation), {
    change: 'SET latest = :owner, #campaign = :owner',
    condition: [
      `(attribute_not_exists(${owned}) OR ${owned}.validation = :id)`,
      '(attribute_not_exists(validation) OR validation = :id)',
    ].join(' AND '),
    names: { campaign: attributeOf(where) },
    values: { owner: { validation: id, transaction }, id },
  });
}

/** The validation that holds it in this scope, if there is one. */
export async function ownerOf(
  table: Table,
  where: Pick<ScopedValidation, 'tenant' | 'campaignId'>,
  { scope, ...reservation }: Pick<Reservation, 'kind' | 'digest'> & { readonly scope: Scope },
): Promise<Owner | undefined> {
  const item = await getItem(table, reservationKey(where.tenant, reservation));
  if (!item) return undefined;
  const { latest, validation, ...others } = ReservationItem.parse(item);
  if (validation !== undefined) return Owner.parse(item);
  if (scope === 'tenant') return latest;
  const own = others[attributeOf(where)];
  return own === undefined ? undefined : Owner.parse(own);
}
