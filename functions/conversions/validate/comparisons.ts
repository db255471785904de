import { compare } from '../values/quantities/rational.ts';
import { isAfter } from './date-rules.ts';
import { isNumberFact, type Judgement } from './judgement.ts';

/** Pairs of fields of which the first must not be greater or later than the second. */
const RANGES = [
  ['amountMin', 'amountMax'],
  ['priceRangeMin', 'priceRangeMax'],
  ['revenueMin', 'revenueMax'],
  ['numEmployeesMin', 'numEmployeesMax'],
] as const;
const PERIODS = [
  ['dateAdded', 'dateUpdated'],
  ['startDate', 'endDate'],
  ['dateValidStart', 'dateValidEnd'],
  ['opened', 'closed'],
  ['founded', 'closed'],
] as const;
/** The sale price and the price before the sale, as far as the record has them. */
const SALES = [
  ['salePrice', 'listPrice'],
  ['salePrice', 'price'],
  ['salePrice', 'msrp'],
] as const;

/** Rules that compare two fields of an object. */
export function compareFields(judgement: Judgement) {
  for (const [less, more] of RANGES) {
    if (isMore(judgement, less, more)) {
      report(judgement, less, { code: 'range.order', detail: `The value is above ${more}.` });
    }
  }
  const sale = SALES.find(([less, more]) => isMore(judgement, less, more));
  if (sale)
    report(judgement, sale[0], { code: 'price.sale-above-list', detail: `The price of the sale is above ${sale[1]}.` });
  for (const [first, second] of PERIODS) {
    if (isLater(judgement, first, second)) {
      report(judgement, first, { code: 'date.order', detail: `The date is after ${second}.` });
    }
  }
}

function isMore({ facts }: Judgement, less: string, more: string): boolean {
  const [one, other] = [facts.get(less), facts.get(more)];
  return isNumberFact(one) && isNumberFact(other) && compare(one.is, other.is) > 0;
}

function isLater({ facts }: Judgement, first: string, second: string): boolean {
  const [one, other] = [facts.get(first)?.is, facts.get(second)?.is];
  return typeof one === 'string' && typeof other === 'string' && isAfter(one, other);
}

function report(judgement: Judgement, name: string, { code, detail }: { code: string; detail: string }) {
  const path = judgement.facts.get(name)?.path;
  if (path !== undefined) judgement.error(path, code, { detail });
}
