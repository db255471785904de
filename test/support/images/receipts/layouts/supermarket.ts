import { Till } from '../sheet.ts';
import type { Country } from '../stores.ts';
import { euros, percent, pieces, printedDay } from '../wording.ts';
import type { Sale } from './layout.ts';

interface Words {
  readonly count: readonly string[];
  readonly total: readonly string[];
  readonly cash: readonly string[];
  readonly card: readonly string[];
  readonly change: readonly string[];
  /** The head of the summary of taxes, then the name of the tax. */
  readonly taxHead: string;
  readonly tax: string;
  readonly thanks: string;
}

const WORDS: Readonly<Record<Exclude<Country, 'US' | 'MY'>, Words>> = {
  FR: {
    count: ['NOMBRE D ARTICLES', 'NB ARTICLES'],
    total: ['TOTAL TTC', 'TOTAL A PAYER', 'NET A PAYER'],
    cash: ['ESPECES'],
    card: ['CARTE BANCAIRE', 'CB'],
    change: ['RENDU MONNAIE', 'A RENDRE'],
    taxHead: 'TAUX TVA|HT|TVA',
    tax: 'TVA',
    thanks: 'MERCI DE VOTRE VISITE',
  },
  IT: {
    count: ['NUMERO ARTICOLI', 'TOTALE PEZZI'],
    total: ['TOTALE COMPLESSIVO', 'TOTALE EURO'],
    cash: ['PAGAMENTO CONTANTE', 'CONTANTI'],
    card: ['PAGAMENTO ELETTRONICO', 'BANCOMAT'],
    change: ['RESTO'],
    taxHead: 'ALIQUOTA IVA|IMPONIBILE|IVA',
    tax: 'IVA',
    thanks: 'GRAZIE E ARRIVEDERCI',
  },
  ES: {
    count: ['TOTAL ARTICULOS', 'N ARTICULOS'],
    total: ['TOTAL A PAGAR', 'TOTAL COMPRA', 'TOTAL'],
    cash: ['EFECTIVO', 'ENTREGADO'],
    card: ['TARJETA BANCARIA', 'TARJETA'],
    change: ['CAMBIO', 'A DEVOLVER'],
    taxHead: 'IVA|BASE IMPONIBLE|CUOTA',
    tax: 'IVA',
    thanks: 'GRACIAS POR SU VISITA',
  },
};

/** A supermarket of France, Italy or Spain: commas in amounts, a tax letter, and the taxes in a table below the payment. */
export function supermarket({ purchase, store, random }: Sale) {
  if (purchase.country === 'US' || purchase.country === 'MY') throw new Error(`No supermarket in ${purchase.country}.`);
  const words = WORDS[purchase.country];
  const till = new Till(random.pick([36, 40]));
  till.centre(store.name, { bold: true });
  for (const line of [...store.address, `TEL ${store.phone}`]) till.centre(line);
  till.rule();
  const letter = random.pick([' A', ' B', '']);
  const above = random.chance(0.5);
  for (const { name, quantity, unitPrice, price } of purchase.items) {
    const counted = () => till.left(`   ${quantity} x ${euros(unitPrice)}`);
    if (quantity > 1 && above) counted();
    till.pair(name, `${euros(price)}${letter}`);
    if (quantity > 1 && !above) counted();
  }
  till.rule();
  till.pair(random.pick(words.count), String(pieces(purchase)));
  till.pair(random.pick(words.total), euros(purchase.total, random.pick(['', 'EUR '])), { bold: true, scale: 1.2 });
  const { means, paid, change } = purchase.tender;
  till.pair(random.pick(means === 'cash' ? words.cash : words.card), euros(paid));
  if (means === 'cash') till.pair(random.pick(words.change), euros(change));
  till.rule();
  const [rate, net, tax] = words.taxHead.split('|');
  till.row([rate!, 0], [net!, -10], [tax!, -0]);
  till.row(
    [`${words.tax} ${percent(purchase.taxRate).replace('.', ',')}`, 0],
    [euros(purchase.total - purchase.tax), -10],
    [euros(purchase.tax), -0],
  );
  till.blank();
  till.left(`${printedDay(purchase, random)} ${purchase.time}  ${purchase.transaction}`);
  till.centre(words.thanks);
  return till.sheet();
}
