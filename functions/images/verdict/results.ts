import type { Product } from '../campaigns/campaign.ts';
import { matchProduct } from '../receipts/matching.ts';
import type { ReadItem, ReadReceipt } from '../receipts/receipt.ts';
import type { ResultLine } from '../validations/validation.ts';
import { certain, doubtful, type Finding } from './finding.ts';

/** Each line that earns points is a ledger entry, and all entries are written in one transaction. */
const RESULTS_MAX = 50;

/** A line may be a product if at most this share of its letters was misread. A person must then look. */
const PERHAPS = 0.4;

interface Results {
  readonly lines: readonly ResultLine[];
  readonly findings: readonly Finding[];
}

/** The lines that count for the campaign: its products, or all lines if it lists none. */
export function resultsOf(id: string, receipt: ReadReceipt, products: readonly Product[]): Results {
  const matches = receipt.items.flatMap((item) => {
    const sure = matchProduct(item, products);
    const product = sure ?? matchProduct(item, products, PERHAPS);
    return products.length === 0 || product ? [{ item, product, isSure: sure === product }] : [];
  });
  const bought = matches.filter(({ item }) => item.price >= 0);
  const lines = bought.map(({ item, product }, at) => lineOf(`${id}-${at + 1}`, item, product));
  const findings: Finding[] = [];
  if (bought.length === 0) {
    findings.push(receipt.doubts.length === 0 ? certain(6) : doubtful(6, 'No product of the campaign was found.'));
  }
  const unsure = bought.filter(({ isSure }) => !isSure);
  if (unsure.length > 0) {
    findings.push(
      doubtful(6, `May not be a product of the campaign: ${unsure.map(({ item }) => item.name).join(', ')}.`),
    );
  }
  const unsureQuantities = bought.filter(({ item, product }) => item.isQuantityUnsure && (product?.points ?? 0) > 0);
  if (unsureQuantities.length > 0) {
    findings.push(
      doubtful(1, `The quantity is not proven: ${unsureQuantities.map(({ item }) => item.name).join(', ')}.`),
    );
  }
  if (bought.length > RESULTS_MAX) findings.push(doubtful(6, `More than ${RESULTS_MAX} lines count.`));
  return { lines: lines.slice(0, RESULTS_MAX), findings };
}

function lineOf(id: string, { name, quantity, price, code }: ReadItem, product: Product | undefined): ResultLine {
  return {
    id,
    name: product?.upc ?? product?.name ?? code ?? name,
    description: name,
    price,
    quantity,
    points: (product?.points ?? 0) * quantity,
  };
}
