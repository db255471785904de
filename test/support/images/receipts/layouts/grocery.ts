import { Till } from '../sheet.ts';
import { money, percent, pieces, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A supermarket of the United States: one line an item with a tax flag, weights and quantities on lines of their own. */
export function grocery({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([38, 40, 42, 44]));
  const day = `${printedDay(purchase, random)}  ${printedTime(purchase, random)}`;
  const dated = random.chance(0.5);
  heading(till, { purchase, store, random }, dated ? day : undefined);
  const flags = random.chance(0.7);
  const coded = random.chance(0.4);
  const quantityFirst = random.chance(0.5);
  for (const { name, quantity, unitPrice, price, discount, code, taxed, measure } of purchase.items) {
    const quantityLine = () => till.left(`   ${quantity} @ ${money(unitPrice)}${random.chance(0.3) ? ' EA' : ''}`);
    if (quantity > 1 && quantityFirst) quantityLine();
    if (measure) till.left(`   ${measure.amount} ${measure.unit} @ ${measure.each} /${measure.unit}`);
    const left = coded && code ? `${name.slice(0, till.columns - 26)} ${code.padStart(12, '0').slice(0, 12)}` : name;
    till.pair(left, flags ? `${money(price)} ${taxed ? 'T' : 'F'}` : money(price));
    if (quantity > 1 && !quantityFirst) quantityLine();
    if (discount > 0)
      till.pair(random.pick(['  CARD SAVINGS', '  MEMBER SAVINGS']), `${money(-discount)}${flags ? '  ' : ''}`);
  }
  sums(till, { purchase, store, random }, flags ? 2 : 0);
  till.blank();
  if (purchase.tender.means === 'card')
    till.left(
      `ACCT # ************${1000 + random.below(9000)}   APPR ${100_000 + random.below(900_000)}`.slice(
        0,
        till.columns,
      ),
    );
  if (random.chance(0.6)) till.centre(`# ITEMS SOLD ${pieces(purchase)}`);
  till.centre(`TR# ${purchase.transaction}`);
  if (!dated) till.centre(day);
  till.centre(random.pick(['THANK YOU FOR SHOPPING WITH US', 'THANK YOU! PLEASE COME AGAIN', 'HAVE A GREAT DAY']));
  return till.sheet();
}

function sums(till: Till, { purchase, random }: Sale, before: number): void {
  if (random.chance(0.5)) till.blank();
  till.pair(random.pick(['SUBTOTAL', 'SUBTOTAL', 'SUB TOTAL']), money(purchase.subtotal), { before, indent: 4 });
  const tax = random.pick([
    'TAX',
    'SALES TAX',
    `TAX 1  ${percent(purchase.taxRate)}`,
    `TAX ${percent(purchase.taxRate)}`,
  ]);
  till.pair(tax, money(purchase.tax), { before, indent: 4 });
  const large = random.chance(0.5);
  till.pair(
    random.pick(['TOTAL', 'TOTAL', '**** BALANCE', 'TOTAL DUE']),
    money(purchase.total, random.pick(['', '$'])),
    {
      before,
      indent: large ? 0 : 4,
      bold: random.chance(0.5),
      scale: large ? 1.3 : 1,
    },
  );
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'CASH TEND' : random.pick(['VISA TEND', 'DEBIT', 'MASTERCARD']), money(paid), {
    before,
    indent: 4,
  });
  till.pair(random.pick(['CHANGE DUE', 'CHANGE']), money(change), { before, indent: 4 });
}

function heading(till: Till, { store, random }: Sale, day: string | undefined): void {
  till.centre(store.name, { scale: random.pick([1, 1.4, 1.8]), bold: random.chance(0.6) });
  for (const line of store.address) till.centre(line);
  till.centre(random.chance(0.5) ? store.phone : `STORE ${100 + random.below(900)}   ${store.phone}`);
  if (random.chance(0.4)) till.left(`CASHIER: ${random.pick(['DANA', 'LUIS', 'PRIYA', 'MARK', 'SCO 2'])}`);
  if (day !== undefined) till.left(day);
  till.blank();
}
