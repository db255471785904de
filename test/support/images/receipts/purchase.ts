import type { Random } from '../../../bench/records/generated-businesses.ts';
import { productsOf } from './products.ts';
import type { Country, Store } from './stores.ts';

/** Amounts in cents. */
interface BoughtItem {
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: number;
  /** Of the line: quantity times unit price, before its discount. */
  readonly price: number;
  /** Taken off on a line of its own. */
  readonly discount: number;
  readonly code?: string | undefined;
  readonly taxed: boolean;
  /** What is sold by weight or volume: how much, and the price of a pound or gallon, as printed. The quantity is then 1. */
  readonly measure?: Measure | undefined;
}

interface Measure {
  readonly amount: string;
  readonly unit: string;
  readonly each: string;
}

interface Tender {
  readonly means: 'cash' | 'card';
  readonly paid: number;
  readonly change: number;
}

/** What a receipt says, and what adds up in it: subtotal = items less discounts; total = subtotal + charged tax + service + rounding. */
export interface Purchase {
  readonly country: Country;
  readonly currency: 'USD' | 'MYR' | 'EUR';
  readonly store: string;
  /** As `2026-03-05`. */
  readonly date: string;
  /** As `14:05`. */
  readonly time: string;
  readonly transaction: string;
  readonly items: readonly BoughtItem[];
  readonly subtotal: number;
  readonly taxRate: number;
  readonly tax: number;
  /** The prices hold the tax already. */
  readonly taxIncluded: boolean;
  readonly service: number;
  readonly rounding: number;
  readonly total: number;
  readonly tender: Tender;
}

const AMERICAN_RATES = [0.0475, 0.0575, 0.06, 0.0625, 0.07, 0.0725, 0.0825, 0.0875, 0.095];
const ITEMS_MAX: Readonly<Record<Store['trade'], number>> = {
  grocery: 16,
  cafe: 7,
  pharmacy: 7,
  fuel: 3,
  hardware: 8,
  minimart: 10,
  restaurant: 8,
};

export function purchaseAt(store: Store, { random, date }: { random: Random; date?: string | undefined }): Purchase {
  const items = itemsOf(store, random);
  const subtotal = items.reduce((sum, { price, discount }) => sum + price - discount, 0);
  const anyDay = dayOf(store, random);
  const day = date ?? anyDay;
  const charges = chargesOf(store, items, { subtotal, day, random });
  const before = subtotal + (charges.taxIncluded ? 0 : charges.tax) + charges.service;
  const total = store.country === 'MY' ? Math.round(before / 5) * 5 : before;
  return {
    country: store.country,
    currency: CURRENCIES[store.country],
    store: store.name,
    date: day,
    time: `${two(7 + random.below(15))}:${two(random.below(60))}`,
    transaction: digits(random, 4 + random.below(9)),
    items,
    subtotal,
    ...charges,
    rounding: total - before,
    total,
    tender: tenderOf(total, store, random),
  };
}

function itemsOf(store: Store, random: Random): BoughtItem[] {
  const shelf = [...productsOf(store)];
  const count = 1 + random.below(ITEMS_MAX[store.trade]);
  const discounts = store.trade === 'pharmacy' || (store.trade === 'grocery' && random.chance(0.3));
  const bought: BoughtItem[] = [];
  if (store.trade === 'fuel' && random.chance(0.6)) bought.push(fuelled(random));
  while (bought.length < count) {
    const [product] = shelf.splice(random.below(shelf.length), 1);
    const unitPrice = Math.max(10, Math.round(product!.price * (0.85 + 0.3 * random.next())));
    if (store.trade === 'grocery' && random.chance(0.1)) bought.push(weighed(product!.name, unitPrice, random));
    else bought.push(counted(product!.name, unitPrice, { random, discounts, food: store.trade === 'grocery' }));
  }
  return bought;
}

interface Counting {
  readonly random: Random;
  readonly discounts: boolean;
  readonly food: boolean;
}

function counted(name: string, unitPrice: number, { random, discounts, food }: Counting): BoughtItem {
  const quantity = random.chance(0.25) ? 2 + random.below(4) : 1;
  const price = quantity * unitPrice;
  const discount =
    discounts && random.chance(0.25) ? Math.max(5, Math.round(price * random.pick([0.1, 0.2, 0.25]))) : 0;
  const code = random.chance(0.5) ? digits(random, 12) : `955${digits(random, 10)}`;
  return { name, quantity, unitPrice, price, discount, code, taxed: food ? random.chance(0.35) : true };
}

function fuelled(random: Random): BoughtItem {
  const [gallons, each] = [3 + 14 * random.next(), 2.9 + 1.6 * random.next()].map((value) => value.toFixed(3));
  const price = Math.round(Number(gallons) * Number(each) * 100);
  const name = random.pick(['UNLEADED', 'UNL PLUS', 'PREMIUM', 'DIESEL']);
  return { ...plain(name, price), measure: { amount: gallons!, unit: 'GAL', each: each! } };
}

function weighed(name: string, perPound: number, random: Random): BoughtItem {
  const pounds = (0.4 + 2 * random.next()).toFixed(2);
  const price = Math.round(Number(pounds) * perPound);
  return { ...plain(name, price), measure: { amount: pounds, unit: 'lb', each: (perPound / 100).toFixed(2) } };
}

const plain = (name: string, price: number): BoughtItem => ({
  name,
  quantity: 1,
  unitPrice: price,
  price,
  discount: 0,
  taxed: false,
});

interface Charges {
  readonly taxRate: number;
  readonly tax: number;
  readonly taxIncluded: boolean;
  readonly service: number;
}

const CURRENCIES = { US: 'USD', MY: 'MYR', FR: 'EUR', IT: 'EUR', ES: 'EUR' } as const;

interface Sum {
  readonly subtotal: number;
  readonly day: string;
  readonly random: Random;
}

function chargesOf(store: Store, items: readonly BoughtItem[], { subtotal, day, random }: Sum): Charges {
  if (store.country === 'US') return americanCharges(items, random);
  return store.country === 'MY' ? malaysianCharges(store, subtotal, day) : europeanCharges(store.country, subtotal);
}

/** The reduced rate of food. */
function europeanCharges(country: Exclude<Country, 'US' | 'MY'>, subtotal: number): Charges {
  const taxRate = { FR: 0.055, IT: 0.1, ES: 0.1 }[country];
  return { taxRate, tax: Math.round(subtotal - subtotal / (1 + taxRate)), taxIncluded: true, service: 0 };
}

function americanCharges(items: readonly BoughtItem[], random: Random): Charges {
  const taxRate = random.pick(AMERICAN_RATES);
  const taxed = items.filter((item) => item.taxed).reduce((sum, { price, discount }) => sum + price - discount, 0);
  return { taxRate, tax: Math.round(taxed * taxRate), taxIncluded: false, service: 0 };
}

/** Goods bore 6 % GST from April 2015 to May 2018; since September 2018 restaurants charge a service tax, and shops none. */
function malaysianCharges({ trade }: Store, subtotal: number, day: string): Charges {
  const gst = day < '2018-06-01';
  if (trade === 'restaurant') {
    const service = Math.round(subtotal * 0.1);
    const taxRate = day < '2024-03-01' ? 0.06 : 0.08;
    return { taxRate, tax: Math.round((subtotal + (gst ? service : 0)) * taxRate), taxIncluded: false, service };
  }
  if (!gst) return { taxRate: 0, tax: 0, taxIncluded: false, service: 0 };
  return { taxRate: 0.06, tax: Math.round((subtotal * 6) / 106), taxIncluded: true, service: 0 };
}

function tenderOf(total: number, { country }: Store, random: Random): Tender {
  if (random.chance(country === 'US' ? 0.6 : 0.3)) return { means: 'card', paid: total, change: 0 };
  const note = random.pick([500, 1000, 2000, 5000]);
  const paid = random.chance(0.1) ? total : Math.ceil(total / note) * note;
  return { means: 'cash', paid, change: paid - total };
}

function dayOf({ country }: Store, random: Random): string {
  const year = country === 'MY' ? random.pick([2016, 2017, 2019, 2023, 2024, 2025]) : 2021 + random.below(5);
  return `${year}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
}

/** Returns whether these are the prices of all items, in their order. A discount counts as a line of its own or is taken off its item. */
export function samePrices(read: readonly number[], { items }: Pick<Purchase, 'items'>): boolean {
  const lines = items.flatMap(({ price, discount }) => (discount > 0 ? [price, -discount] : [price]));
  const paid = items.map(({ price, discount }) => price - discount);
  return [lines, paid].some((prices) => prices.join() === read.join());
}

export const two = (value: number): string => String(value).padStart(2, '0');

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 1 + random.below(9) : random.below(10))).join('');
