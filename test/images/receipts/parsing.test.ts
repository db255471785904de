import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, centsOf, splitAmount, withPoints } from '../../../functions/images/receipts/amounts.ts';
import { receiptOf } from '../../../functions/images/receipts/combine-readings.ts';
import { datesOf } from '../../../functions/images/receipts/dates.ts';
import { labelOf } from '../../../functions/images/receipts/labels.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { parseReceipt } from '../../../functions/images/receipts/parse-receipt.ts';
import { ReadReceipt } from '../../../functions/images/receipts/receipt.ts';
import { rowsOf } from '../../../functions/images/receipts/rows.ts';
import { AMERICAN, MALAYSIAN, readWords } from '../drawn-receipts.ts';

const [US, MY] = [LOCALES['US']!, LOCALES['MY']!];
/** Two readings that agree, as the gate wants them. */
const twice = (rows: readonly string[], locale = MY) => {
  const reading = parseReceipt(readWords(rows), locale);
  return receiptOf([reading, reading], locale);
};

describe('an amount', () => {
  it.each([
    ['12.34', 1234],
    ['RM12.34', 1234],
    ['RM-0.02', -2],
    ['-RM0.02', -2],
    ['(5.59)', 559],
    ['5.59-', -559],
    ['1,234.50', 123_450],
    ['12,34', 1234],
    ['l2.3O', 1230],
    ['S.BO', undefined],
    ['RML.25', 125],
    ['1.5L', undefined],
    ['26.0C', 2600],
    ['2.1¢', 210],
    ['15.90SR', 1590],
    ['15.90*', 1590],
    ['2.00ZRL', 200],
    ['35.CC', 3500],
    ['$8.20', 820],
    ['S8.20', 820],
    ['12.345', undefined],
    ['12', undefined],
    ['9556041617529', undefined],
    ['14:22', undefined],
    ['05.03.2018', undefined],
    ['BOX.OF', undefined],
  ])('is read from %s as %s', (text, cents) => {
    expect(centsOf(text, MY)).toBe(cents);
  });

  it('may be followed by a T that was read as a 7, if receipts have that letter', () => {
    expect(['4.727', '$10.167', '4.72', '3.459'].map((text) => centsOf(text, US))).toEqual([472, 1016, 472, undefined]);
    expect(centsOf('4.727', MY)).toBeUndefined();
  });
});

describe('an amount in two words', () => {
  const row = (text: string) => rowsOf(readWords([text]).words)[0]!;

  it('is joined at its point, or where the point was lost at the end of the row', () => {
    expect(amountsOf(row('TOTAL RM 49. 40'), MY)).toEqual([{ cents: 4940, at: 2 }]);
    expect(amountsOf(row('2. 50 5. 00T'), MY).map(({ cents }) => cents)).toEqual([250, 500]);
    expect(splitAmount(row('TOTAL 80 91'))).toBe(8091);
  });

  it('is not made of separate numbers, or of numbers with three digits', () => {
    expect(amountsOf(row('NO. 12'), MY)).toEqual([]);
    expect(amountsOf(row('5. 123'), MY)).toEqual([]);
    expect(splitAmount(row('TOTAL 80 915'))).toBeUndefined();
    expect(splitAmount(rowsOf(readWords(['TOTAL 80|91']).words)[0]!)).toBeUndefined();
  });
});

describe('the points of amounts', () => {
  const texts = (rows: readonly string[]) => withPoints(rowsOf(readWords(rows).words), MY).map(({ text }) => text);

  it('are restored where prices end, and nowhere else', () => {
    const rows = ['TEA|5.20', 'MILK|12.90', 'BREAD|1410', 'CAKE|24 0O', 'CARD 1234', 'MAR 2018', 'SUGAR|5.208'];
    const restored = ['TEA 5.20', 'MILK 12.90', 'BREAD 14.10', 'CAKE 24.0O', 'CARD 1234', 'MAR 2018', 'SUGAR 5.20'];
    expect(texts(rows)).toEqual(restored);
  });

  it('are not restored in dates and times, or without a column of prices', () => {
    expect(texts(['TEA|5.20', 'MILK|12.90', '05 MAR|2018', 'TIME|1422'])).toContain('05 MAR 2018');
    expect(texts(['TEA|5.20', 'MILK|12.90', '05 MAR|2018', 'TIME|1422'])).toContain('TIME 1422');
    expect(texts(['TEA|5.20', 'BREAD|1410'])).toContain('BREAD 1410');
  });
});

describe('a date', () => {
  const dayIn = (text: string, locale = MY) => datesOf(rowsOf(readWords([text]).words), locale)[0]?.day;

  it.each([
    '05/03/2018',
    '5/3/2018',
    '05-03-18',
    '05/03/18',
    '2018-03-05',
    '05 MAR 2018',
    '5-Mar-18',
    '05MAR2018',
    '20180305',
    '05.03.2018',
    'O5/03/2O18',
    '0503/2018',
    "05:03'2018",
    '05 03 2018',
    'March 5, 2018',
    'DATE:05/03/2018 14:22',
    'MAR052018',
    '05MAR2O18',
  ])('is the fifth of March if a Malaysian receipt says %s', (text) => {
    expect(dayIn(text)).toBe('2018-03-05');
  });

  it('has its month first in the United States, and wherever the day cannot be a month', () => {
    expect(dayIn('05/03/2018', US)).toBe('2018-05-03');
    expect(dayIn('12/28/2017')).toBe('2017-12-28');
    expect(dayIn('28/12/2017', US)).toBe('2017-12-28');
  });

  it.each(['31/02/2018', '00/03/2018', '12.50 1.20', '07-3507405', '01/01/1957', '603-2726-5600', 'HC03-7-15'])(
    'is not found in %s',
    (text) => {
      expect(dayIn(text)).toBeUndefined();
    },
  );

  it('with a label takes precedence over one that limits a validity', () => {
    const rows = rowsOf(readWords(['VALID UNTIL 31/12/2018', 'DATE 05/03/2018']).words);
    expect(datesOf(rows, MY).map(({ day }) => day)).toEqual(['2018-03-05', '2018-12-31']);
  });
});

describe('the particulars of a sale', () => {
  const parsed = (rows: readonly string[], locale = MY) => parseReceipt(readWords(rows), locale);

  it.each([
    [['05/03/2018 14:22:10'], '14:22'],
    [['05/03/2018', '2:05 PM'], '14:05'],
    [['05/03/2018', '12:30AM'], '00:30'],
    [['TIME: 09:15', 'OPEN 10:00 - 22:00'], '09:15'],
    [['OPEN 10:00 - 22:00', '05/03/2018'], undefined],
    [['05/03/2018', 'TEA 2.50'], undefined],
    [['25:10', '05/03/2018'], undefined],
  ])('of %j hold the time %s', (rows, time) => {
    expect(parsed(rows).time).toBe(time);
  });

  it.each([
    [['INVOICE NO: CS00012874'], 'CS00012874'],
    [['Receipt #: 000-1234/56'], '000-1234/56'],
    [['TAX INVOICE', 'TRX NO 88123', 'BILL NO 42'], '88123'],
    [['TAX INVOICE'], undefined],
    [['Bill to Mr Smith'], undefined],
  ])('of %j hold the number %s', (rows, number) => {
    expect(parsed(rows).number).toBe(number);
  });

  it('include the state and the postal code of the store, and no house number', () => {
    expect(parsed(['12 LOT 10234, JALAN 5', '47300 PETALING JAYA,', 'SELANGOR D.E.']).regions).toEqual([
      '47300',
      'SELANGOR',
    ]);
    expect(parsed(['10234 MAIN STREET', 'COLUMBUS, OH 43004-1234'], US).regions).toEqual(['OH', '43004']);
  });
});

describe('the label of a row', () => {
  it.each([
    ['TOTAL ROUNDED RM 33.90', 'rounded-total'],
    ['ROUNDING ADJUSTMENT -0.02', 'rounding'],
    ['R0UNDlNG -0.02', 'rounding'],
    ['Total Sales (Excluding GST) 31.03', 'subtotal'],
    ['Total Incl. of GST 15.90', 'total'],
    ['TOTAL INCLUDES 6% GST 1.51', 'tax'],
    ['Total Qty 4', 'count'],
    ['T0TAL 14.10', 'total'],
    ['CHANCE 5.90', 'change'],
    ['Svc Charge (10%) 7.21', 'service'],
    ['SERVICE CHARGE 7.21', 'service'],
    ['SUBTOTAI 5.90', 'subtotal'],
    ['CASH 20.00', 'tender'],
    ['SERVICE CHARGE 10% 29.50', 'service'],
    ['DISC 1.00', 'discount'],
    ['TRU-CUT CUTTING DISC 35.00', undefined],
    ['MODELLING CLAY 9.00', undefined],
    ['CASHEW NUTS 9.00', undefined],
    ['GROUND BEEF 9.00', undefined],
    ['TotalAmount 9.00', 'total'],
    ['TotalAmcunt: 9.00', 'total'],
    ['GST@6% 0.49', 'tax'],
    ['TAX9.5% 2.05', 'tax'],
    ['TOT QTY. 28', 'count'],
    ['TUNA IN OIL 9.00', undefined],
  ])('of %s is %s', (text, label) => {
    expect(labelOf(text, MY)).toBe(label);
  });
});

describe('the name of a store', () => {
  it.each([
    [['AEON CO. (M) BHD (126926-H)', 'SHOPPING HOURS'], 'AEON CO. (M) BHD'],
    [['PASARAYA PINTAR', 'SDN BHD (123456-K)', 'JALAN 5'], 'PASARAYA PINTAR SDN BHD'],
    [['HOME MASTER HARDWARE &', 'ELECTRICAL', 'NO 113'], 'HOME MASTER HARDWARE & ELECTRICAL'],
    [['TAX INVOICE', 'JALAN HARMONI', 'ABC HO TRADING'], 'ABC HO TRADING'],
    [['NASI KANDAR', 'TEL 03-123'], 'NASI KANDAR'],
    [['12 34', 'TEL 03-123'], undefined],
  ])('is found in %j as %s', (rows, store) => {
    expect(parseReceipt(readWords(rows), MY).store?.name).toBe(store);
  });
});

describe('a receipt that is read without errors', () => {
  it('is understood as Malaysian, with names above their prices and a rounded total', () => {
    expect(twice(MALAYSIAN)).toMatchObject({
      store: 'SETIA HARDWARE SDN BHD',
      head: expect.arrayContaining(['SETIA HARDWARE SDN BHD', '81750 JOHOR BAHRU']),
      date: '2018-03-05',
      time: '14:22',
      total: 2800,
      subtotal: undefined,
      tax: undefined,
      currency: 'MYR',
      regions: ['81750', 'JOHOR'],
      items: [
        { name: 'CHOPPING BOARD 803M', quantity: 1, price: 1900, code: '83970669' },
        { name: 'BOPP TAPE CLEAR', quantity: 2, price: 902, code: '6935618350846' },
      ],
      doubts: [],
    });
  });

  it('is understood as American, with tax that is added', () => {
    expect(twice(AMERICAN, US)).toMatchObject({
      store: 'GREEN VALLEY MARKET',
      date: '2018-03-05',
      total: 1870,
      subtotal: 1748,
      tax: 122,
      items: [
        { name: 'WHOLE MILK', quantity: 1, price: 349 },
        { name: 'BAGELS', quantity: 1, isQuantityUnsure: true, price: 500 },
        { name: 'ROASTED COFFEE', quantity: 1, price: 899 },
      ],
      doubts: [],
    });
  });

  it('gives items the quantity of the row above or below, and makes no item of that row', () => {
    const rows = AMERICAN.flatMap((row) => {
      if (row.startsWith('2 BAGELS')) return ['2 @ 2.50', 'BAGELS|5.00'];
      return row.startsWith('ROASTED') ? ['HAM|8.99', '0.75 lb @ 11.99 /lb'] : [row];
    });
    const { items, doubts } = twice(rows, US);
    expect(items.map(({ name, quantity, price }) => [name, quantity, price])).toEqual([
      ['WHOLE MILK', 1, 349],
      ['BAGELS', 2, 500],
      ['HAM', 1, 899],
    ]);
    expect(doubts).toEqual([]);
  });

  it.each([
    ['2 BAGELS @ 2.50|5.00', 'BAGELS'],
    ['- BAGELS @ 2.50|5.00', 'BAGELS'],
    ['B-52 - BAGELS|5.00', 'B-52 - BAGELS'],
  ])('names the item of %s without the signs of its quantity and price', (row, name) => {
    const { items } = twice(
      AMERICAN.map((one) => (one.startsWith('2 BAGELS') ? row : one)),
      US,
    );
    expect(items[1]).toMatchObject({ name, price: 500 });
  });

  it('keeps a row of quantity and price that belongs to no other', () => {
    const { items, doubts } = twice(
      AMERICAN.map((row) => (row.startsWith('WHOLE') ? '1 @ 3.49' : row)),
      US,
    );
    expect(items.map(({ price }) => price)).toEqual([349, 500, 899]);
    expect(doubts).toEqual([]);
  });

  it('is understood in Malay', () => {
    const malay = ['JUMLAH KECIL|28.02', 'PENGGENAPAN|-0.02', 'JUMLAH BESAR|RM 28.00', 'TUNAI|50.00', 'BAKI|22.00'];
    const { total, subtotal, doubts } = twice([...MALAYSIAN.slice(0, 9), ...malay]);
    expect({ total, subtotal, doubts }).toEqual({ total: 2800, subtotal: 2802, doubts: [] });
  });

  it('leaves the date in doubt if it was read only once', () => {
    expect(receiptOf([parseReceipt(readWords(MALAYSIAN), MY)], MY).doubts).toEqual(['date-unsure']);
  });
});

describe('the gate', () => {
  const changed = (from: string, to: string) => MALAYSIAN.map((row) => row.replace(from, to));

  it('needs a person if an item was misread', () => {
    expect(twice(changed('|9.02', '|9.82')).doubts).toContain('items-unproven');
  });

  it('does not take a line of the sum with a misread label for an item', () => {
    const receipt = twice(changed('TOTAL|RM 28.02', 'IQTAI|RM 28.02'));
    expect(receipt.items.map(({ price }) => price)).toEqual([1900, 902]);
    expect(receipt).toMatchObject({ total: 2800, doubts: [] });
  });

  it('takes a total to which charges are added for the subtotal, whether or not the sum below was read right', () => {
    const rows = ['CAFE UNO SDN BHD', '05/03/2018', 'GUINNESS|30.00', 'TIGER|19.60', 'TOTAL AMOUNT|49.60'];
    const charged = twice([...rows, 'SERVICE CHARGE 10%|4.96', 'GST 6%|3.27', 'TOTAL|57.83']);
    expect(charged).toMatchObject({ total: 5783, subtotal: 4960, doubts: [] });
    const misread = twice([...rows, 'SERVICE CHARGE 10%|4.96', 'GST 6%|3.27', 'TOTAL|57.93']);
    expect(misread.doubts).toContain('total-unproven');
  });

  it('needs a person if the rest of a cut label says total, and below it stand an amount and the sum of both', () => {
    const rows = ['AIRIE FRESH MARKET', '07-27-2022 06:53PM', 'HIPS|3.81', 'ELI|7.18', 'OTAL|10.99'];
    expect(twice([...rows, 'TEND|20.00', 'NGE|9.01'], US)).toMatchObject({ total: 1099, doubts: [] });
    const cut = twice([...rows, '6.25%|0.79', '11.78', 'TEND|20.00', 'NGE|8.22'], US);
    expect(cut.doubts).toContain('total-unproven');
  });

  it('accepts items whose sum exceeds the total by the discount if that sum is printed, too', () => {
    const rows = ['CAFE UNO SDN BHD', '05/03/2018', 'GUINNESS|30.00', 'TIGER|19.60'];
    const foot = (paid: string) => ['DISCOUNT|0.60', `NET TOTAL|${paid}`, `CASH|${paid}`];
    expect(twice([...rows, 'TOTAL|49.60', ...foot('49.00')])).toMatchObject({ total: 4900, doubts: [] });
    expect(twice([...rows, 'TOTAL|49.60', ...foot('48.90')]).doubts).toContain('items-unproven');
    expect(twice([...rows, ...foot('49.00')]).doubts).toContain('items-unproven');
  });

  it('leaves credit notes and offers to a person, and takes no note about refunds for a title', () => {
    const [name = '', ...rows] = MALAYSIAN;
    expect(twice([name, 'CREDIT NOTE', ...rows]).doubts).toEqual(['no-purchase']);
    expect(twice([name, 'Quotation', ...rows]).doubts).toEqual(['no-purchase']);
    expect(twice([name, ...rows, 'NO REFUND', 'Refund within 7 days']).doubts).toEqual([]);
  });

  it('takes charges, rows of 0.00, nameless amounts and discounts without their sign for no items', () => {
    const rows = [
      'CAFE UNO SDN BHD',
      '05/03/2018',
      'TIGER BUCKET|58.30',
      'ITEM DISCOUNT|0.00',
      'POINTS:|0.00',
      'AMOUNT|55.00',
    ];
    const foot = ['S SERVICE CHRG (INCL GST 6%)|RM 5.83', 'TOTAL SALES|RM 64.13', 'CASH|RM 64.13'];
    expect(twice([...rows, ...foot])).toMatchObject({ items: [{ price: 5830 }], total: 6413, doubts: [] });
  });

  it('takes no price for the product of a quantity and itself', () => {
    const rows = ['CAFE UNO SDN BHD', '05/03/2018', 'COMPASS 1.00 PCS 48.00|50.88', 'TOTAL|50.88', 'CASH|50.88'];
    expect(twice(rows)).toMatchObject({ items: [{ price: 5088, quantity: 1 }], doubts: [] });
  });

  it('says what each reading shows of a field and of a line, and each close-up of the day', () => {
    const first = parseReceipt(readWords(MALAYSIAN), MY);
    const rows = MALAYSIAN.map((row) => row.replace('19.00|19.00', '10.00|10.00').replace('SETIA', 'SET1A'));
    const second = { ...parseReceipt(readWords(rows), MY), closeUps: [undefined, '2018-03-06'] };
    const { readings, items } = receiptOf([first, second], MY);
    expect(readings).toEqual({
      store: ['SETIA HARDWARE SDN BHD', 'SET1A HARDWARE SDN BHD'],
      date: ['2018-03-05', '2018-03-05', '2018-03-06'],
      total: [2800, 2800],
    });
    expect(items.map((item) => item.readings?.map(({ price }) => price))).toEqual([
      [1900, 1000],
      [902, 902],
    ]);
  });

  it('takes the name from the reading that is surest of it', () => {
    const [garbled, clear] = ['S RPRISE', 'SURPRISE'].map((name) => {
      const page = readWords(['05/03/2018', `${name} CAFE`, ...MALAYSIAN.slice(1)]);
      const words = page.words.map((word) => (word.text === 'RPRISE' ? { ...word, confidence: 40 } : word));
      return parseReceipt({ ...page, words }, MY);
    });
    expect(receiptOf([garbled!, clear!], MY).store).toBe('SURPRISE CAFE');
    expect(receiptOf([clear!, garbled!], MY).store).toBe('SURPRISE CAFE');
  });

  it('restores lost points of prices if arithmetic confirms them', () => {
    const faint = changed('|9.02', '|902').map((row) =>
      row.replace('|RM 28.00', '|2800').replace('|RM 50.00', '|50 00'),
    );
    const receipt = twice(faint);
    expect(receipt.items.map(({ price }) => price)).toEqual([1900, 902]);
    expect(receipt).toMatchObject({ total: 2800, doubts: [] });
    expect(twice(changed('|9.02', '|932')).doubts).toContain('items-unproven');
  });

  it('proves items of which each reading misread a different one', () => {
    const readings = [changed('|9.02', '|9.82'), changed('|19.00', '|79.00')].map((rows) =>
      parseReceipt(readWords(rows), MY),
    );
    const receipt = receiptOf(readings, MY);
    expect(receipt.items.map(({ price }) => price)).toEqual([1900, 902]);
    expect(receipt.doubts).toEqual([]);
    const wrong = [changed('|9.02', '|9.82'), changed('|9.02', '|9.92')].map((rows) =>
      parseReceipt(readWords(rows), MY),
    );
    expect(receiptOf(wrong, MY).doubts).toContain('items-unproven');
  });

  it('does not mix readings that differ in so many rows that a mixture might add up by chance', () => {
    const bought = ['5.00', '6.00', '7.00', '8.00', '9.00'];
    const foot = ['TOTAL|35.00', 'CASH|35.00'];
    const misread = (wrong: (at: number) => boolean) =>
      bought.map((price, at) => `ITEM ${'ABCDE'[at]}X|${wrong(at) ? `1${price}` : price}`);
    const mixed = (from: number) =>
      receiptOf(
        [misread((at) => at < from), misread((at) => at >= from)].map((rows) =>
          parseReceipt(readWords(['CAFE UNO SDN BHD', '05/03/2018', ...rows, ...foot]), MY),
        ),
        MY,
      );
    expect(mixed(2).doubts).toContain('items-unproven');
  });

  it('takes the row that shows subtotal and charges for the total although its label was misread', () => {
    const rows = ['CAFE UNO SDN BHD', '05/03/2018', 'GUINNESS|150.00', 'TIGER|145.00', 'SUBTOTAL|295.00'];
    const charges = ['SERVICE CHARGE 10%|29.50', 'GST 6%|19.47', 'ROUNDING ADJ|-0.02'];
    expect(twice([...rows, ...charges, 'WL|343.95'])).toMatchObject({ total: 34395, doubts: [] });
    expect(twice([...rows, ...charges, 'WL|350.00']).doubts).toContain('total-unproven');
    // Cash that equals the subtotal is no total.
    expect(twice([...rows, ...charges, 'CA5|295.00']).doubts).toContain('total-unproven');
    expect(twice([...rows, 'CA5|295.00']).doubts).toContain('total-unproven');
  });

  it('needs a person if no second way leads to the total', () => {
    const alone = MALAYSIAN.filter((row) => !/^(ROUNDING|TOTAL\||CASH|CHANGE|8397|6935)/.test(row));
    expect(twice(alone)).toMatchObject({ total: 2800, doubts: ['total-unproven', 'items-unproven'] });
  });

  it('needs a person if the amount may have been rounded in an unknown way', () => {
    const rows = [...MALAYSIAN.slice(0, 9), 'JUMLAH (3)|28.02', 'PXLXRXSXN|-0.02', 'TOTAL|RM 28.00'];
    expect(twice(rows)).toMatchObject({ total: 2802, doubts: ['total-unproven'] });
  });

  it('keeps the total on which most agree if one line was misread', () => {
    expect(twice(changed('TOTAL ROUNDED|RM 28.00', 'TOTAL ROUNDED|RM 78.00')).total).toBe(2800);
    expect(twice(changed('CASH|RM 50.00', 'CASH|RM 80.00')).total).toBe(2800);
  });

  it('needs a person if two readings show different days', () => {
    const [one, other] = [MALAYSIAN, changed('05/03/2018', '06/03/2018')].map((rows) =>
      parseReceipt(readWords(rows), MY),
    );
    expect(receiptOf([one!, other!], MY).doubts).toContain('date-unsure');
  });

  it('needs a person if both readings doubt the day on which they agree', () => {
    const { words, ...page } = readWords(MALAYSIAN);
    const doubtful = words.map((word) => (word.text.includes('/2018') ? { ...word, confidence: 80 } : word));
    const [sure, unsure] = [words, doubtful].map((read) => parseReceipt({ ...page, words: read }, MY));
    expect(receiptOf([unsure!, unsure!], MY).doubts).toEqual(['date-unsure']);
    expect(receiptOf([unsure!, sure!], MY).doubts).toEqual([]);
  });

  it.each([
    ['05', Array(4).fill('2018-03-05'), []],
    ['05', [undefined, ...Array(3).fill('2018-03-05')], []],
    ['05', Array(2).fill('2018-03-05'), ['date-unsure']],
    ['05', [...Array(3).fill('2018-03-05'), '2018-03-08'], ['date-unsure']],
    ['05', Array(4).fill('2018-03-08'), ['date-unsure']],
    // Blur makes a 6 of a 5, and of an 8.
    ['16', Array(4).fill('2018-03-16'), ['date-unsure']],
  ] as const)(
    'trusts the day %s of a single reading as far as the close-ups %j confirm it',
    (day, closeUps, doubts) => {
      const reading = parseReceipt(readWords(changed('05/03/2018', `${day}/03/2018`)), MY);
      expect(receiptOf([{ ...reading, closeUps }], MY).doubts).toEqual(doubts);
    },
  );

  it('does not trust a day of confident readings if a close-up contradicts', () => {
    const reading = parseReceipt(readWords(MALAYSIAN), MY);
    expect(receiptOf([reading, { ...reading, closeUps: ['2018-03-08'] }], MY).doubts).toEqual(['date-unsure']);
  });

  it.each([
    ['DATE: 81/15/25', 'date-unread'],
    ['Date:', 'date-unread'],
    ['TARIKH', 'date-unread'],
    ['4:32 PM', 'date-unread'],
    ['86/67/2025', 'date-unread'],
    ['2018 18.17', 'date-unread'],
    ['21932018', 'no-date'],
    ['21032818 30 MAP', 'no-date'],
    ['3 MAR', 'date-unread'],
    ['Mar. 3', 'date-unread'],
    ['CASHIER 201', 'no-date'],
    ['SUPERMARKET 2.30', 'no-date'],
  ])('distinguishes a receipt without a date from one whose date was not read: %s', (text, doubt) => {
    const reading = parseReceipt(readWords(MALAYSIAN.map((row) => (row.includes('05/03/2018') ? text : row))), MY);
    expect(reading.dates).toEqual([]);
    expect(receiptOf([reading], MY).doubts.filter((one) => one.includes('date'))).toEqual([doubt]);
  });

  it('needs a person if nothing was read', () => {
    expect(receiptOf([parseReceipt({ width: 1, height: 1, words: [] }, MY)], MY).doubts).toEqual([
      'no-total',
      'no-date',
      'items-unproven',
      'no-store',
    ]);
  });
});

describe('the quantity of a line', () => {
  const FOOT = ['TOTAL|58.30', 'CASH|58.30'];
  const counted = (rows: readonly string[], foot = FOOT) => {
    const { items } = twice(['CAFE UNO SDN BHD', '05/03/2018', ...rows, ...foot]);
    return items.map(({ quantity, isQuantityUnsure = false }) => [quantity, isQuantityUnsure]);
  };

  it.each([
    ['a number times a price', ['TUBES 2 29.15|58.30'], 2],
    ['a number behind the price of one piece', ['TUBES 29.15 2|58.30'], 2],
    ['a number glued to the name', ['2TUBES 29.15|58.30'], 2],
    ['a number that lost its point', ['TUBES 20 29.15|58.30'], 2],
    ['a number glued to the price of one piece', ['TUBES 29.15*2|58.30'], 2],
    ['a number times a rounded price', ['TUBES 17 3.43|58.30'], 17],
    ['a column that says so', ['BADGE QTY|RM', 'BADGE 100|58.30'], 100],
    ['the head of a column that is glued to another', ['QTYITEM|RM', '2x SODA|58.30'], 2],
    ['the printed number of pieces', ['BADGE 100x SR|58.30', 'TOTAL QTY TENDER|100'], 100],
  ])('is proven by %s', (_proof, rows, quantity) => {
    expect(counted(rows)).toEqual([[quantity, false]]);
  });

  it.each([
    ['7 FISH BALLS', true],
    ['BADGES x7', true],
    ['2COFFEE', true],
    ['7 116DISTILLED 58.30', false],
    ['FUEL 95', false],
    ['POWER-V 97', false],
    ['TUBES 450 0.13', true],
  ])('is 1 without a proof: %s', (name, isUnsure) => {
    expect(counted([`${name}|58.30`])).toEqual([[1, isUnsure]]);
  });

  it('is not that of a column at the foot, and not a number of three digits that belongs to the name', () => {
    expect(counted(['200 008 1X 58.30|58.30', 'NO QTYS: 2|2'])).toEqual([[1, false]]);
  });
});

describe('any words at all', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.constantFrom(
      'TOTAL',
      'CASH',
      'CHANGE',
      'RM',
      '12.50',
      '0.00',
      '-0.02',
      '3',
      'x2',
      '05/03/2018',
      'GST',
      '@',
      '|',
    ),
  );
  const word = fc.record({
    text,
    confidence: fc.integer({ min: 0, max: 100 }),
    box: fc
      .tuple(fc.nat(1200), fc.nat(3000), fc.nat(300), fc.nat(60))
      .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height })),
  });

  it('are parsed without failure, into amounts that are whole numbers of cents', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.constantFrom(US, MY), (words, locale) => {
        const rows = rowsOf(words);
        expect(rows.flatMap((row) => row.words)).toHaveLength(words.length);
        const receipt = receiptOf([parseReceipt({ width: 1200, height: 3000, words }, locale)], locale);
        const amounts = [receipt.total, receipt.subtotal, receipt.tax, ...receipt.items.map(({ price }) => price)];
        expect(amounts.every((cents) => cents === undefined || Number.isSafeInteger(cents))).toBe(true);
        expect(receipt.items.every(({ quantity }) => Number.isInteger(quantity) && quantity > 0)).toBe(true);
        expect(receipt.doubts.length).toBeGreaterThan(0);
        expect(ReadReceipt.parse(receipt)).toEqual(receipt);
      }),
    );
  });
});

describe('the print at a position', () => {
  it('is that of its words alone, from left to right, with the lowest confidence among them', () => {
    const page = readWords(AMERICAN);
    const words = page.words.map((word) => (word.text === 'MILK' ? { ...word, confidence: 61.4 } : word));
    const { accounts, place } = parseReceipt({ ...page, words: words.toReversed() }, US);
    const milk = accounts[0]?.items.find(({ name }) => name === 'WHOLE MILK');
    expect(place(milk!.box)).toMatchObject({ text: 'WHOLE MILK 3.49', confidence: 61 });
  });

  it('is absent if there are no words', () => {
    const { place } = parseReceipt(readWords(AMERICAN), US);
    const nowhere = place({ left: 0, top: 0, right: 1, bottom: 1 });
    expect(Object.keys(nowhere)).toEqual(['page', 'corners']);
  });
});
