import { editDistance, lettersOf } from './labels.ts';

interface Product {
  readonly name: string;
  readonly upc?: string | undefined;
}

const CERTAIN = 0.2;
const POSSIBLE = 0.35;

/** The product that a line shows, by its code or by its name. */
export function matchProduct<P extends Product>(
  { name, code }: { readonly name: string; readonly code?: string | undefined },
  products: readonly P[],
): { readonly product: P; readonly certain: boolean } | undefined {
  const coded = code === undefined ? undefined : products.find(({ upc }) => upc === code);
  if (coded) return { product: coded, certain: true };
  const read = lettersOf(name).join(' ');
  const ranked = products
    .map((product) => ({ product, errors: errors(read, lettersOf(product.name).join(' ')) }))
    .sort((a, b) => a.errors - b.errors);
  const [best] = ranked;
  if (!best || best.errors > POSSIBLE) return undefined;
  return { product: best.product, certain: best.errors <= CERTAIN };
}

const errors = (read: string, name: string): number =>
  name === '' ? 1 : read.includes(name) ? 0 : editDistance(read, name, name.length) / name.length;
