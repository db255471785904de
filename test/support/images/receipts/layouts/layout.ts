import type { Random } from '../../../../bench/records/generated-businesses.ts';
import type { Purchase } from '../purchase.ts';
import type { Sheet } from '../sheet.ts';
import type { Store } from '../stores.ts';

export interface Sale {
  readonly purchase: Purchase;
  readonly store: Store;
  readonly random: Random;
}

export type Layout = (sale: Sale) => Sheet;
