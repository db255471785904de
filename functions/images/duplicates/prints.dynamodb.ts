import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Key, type Table } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { PRINT } from '../table-keys.ts';
import type { Scope, ScopedValidation } from './pointer.ts';

/** A thing that is awarded once in its scope: the bytes of an image, or a purchase. */
export interface Print {
  readonly kind: 'bytes' | 'content';
  /** The digest is in hexadecimal. */
  readonly digest: string;
  /** The transaction number of the purchase. */
  readonly transaction?: string | undefined;
}

/** The validation that was awarded for a print. */
const Owner = z.object({ validation: z.string(), transaction: z.optional(z.string()) });
type Owner = z.output<typeof Owner>;

/**
 * One item per print of a tenant. `latest` names the validation that was awarded last in any campaign; one attribute
 * per campaign names the validation awarded there. Items of earlier versions name one validation for the whole tenant.
 */
const PrintItem = z.looseObject({ latest: z.optional(Owner), validation: z.optional(z.string()) });

const printKey = (tenant: string, { kind, digest }: Pick<Print, 'kind' | 'digest'>): Key => ({
  pk: `${PRINT}${tenant}#${kind}#${digest}`,
  sk: 'PRINT',
});

const attributeOf = ({ campaignId }: Pick<ScopedValidation, 'campaignId'>) => `campaign#${campaignId}`;

/** A transaction item that reserves a print. It is refused if another validation holds the print in this scope. */
export function printWrite(
  { name }: Table,
  { id, ...where }: ScopedValidation,
  { scope, transaction, ...print }: Print & { readonly scope: Scope },
): TransactWriteItem {
  const owned = scope === 'tenant' ? 'latest' : '#campaign';
  return updateWrite(name, printKey(where.tenant, print), {
    change: 'SET latest = :owner, #campaign = :owner',
    condition: [
      `(attribute_not_exists(${owned}) OR ${owned}.validation = :id)`,
      '(attribute_not_exists(validation) OR validation = :id)',
    ].join(' AND '),
    names: { campaign: attributeOf(where) },
    values: { owner: { validation: id, transaction }, id },
  });
}

/** The validation that holds the print in this scope, if there is one. */
export async function ownerOf(
  table: Table,
  where: Pick<ScopedValidation, 'tenant' | 'campaignId'>,
  { scope, ...print }: Pick<Print, 'kind' | 'digest'> & { readonly scope: Scope },
): Promise<Owner | undefined> {
  const item = await getItem(table, printKey(where.tenant, print));
  if (!item) return undefined;
  const { latest, validation, ...others } = PrintItem.parse(item);
  if (validation !== undefined) return Owner.parse(item);
  if (scope === 'tenant') return latest;
  const own = others[attributeOf(where)];
  return own === undefined ? undefined : Owner.parse(own);
}
