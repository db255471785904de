import { describe, expect, it } from 'vitest';
import { conventionsOf } from '../../../../functions/conversions/values/texts/conventions.ts';
import { readDate } from '../../../../functions/conversions/values/texts/dates.ts';
import { readEmail, readHost, readWebAddress } from '../../../../functions/conversions/values/texts/hosts.ts';
import { legalFormOf, splitLegalForm } from '../../../../functions/conversions/values/texts/legal-forms.ts';
import { withOffset } from '../../../../functions/conversions/values/texts/local-times.ts';
import { canonicalMeasure, readMeasure } from '../../../../functions/conversions/values/texts/measures.ts';
import { monthOf } from '../../../../functions/conversions/values/texts/month-names.ts';
import { readRoomCount } from '../../../../functions/conversions/values/texts/room-counts.ts';
import { tidyLine, tidyLines } from '../../../../functions/conversions/values/texts/tidy.ts';
import { readNumber } from '../../../../functions/conversions/values/texts/written-numbers.ts';

describe('tidying a text', () => {
  it.each([
    ['  ACME   G.m.b.H. ', 'ACME G.m.b.H.'],
    ['Cafe\u0301', 'Café'],
    ['a\u00a0b\tc\nd', 'a b c d'],
    ['\ufeffa\u200bb\u0000c\u0085', 'abc'],
    ['e\u200b\u0301', 'é'],
    ['👩\u200d🔧', '👩\u200d🔧'],
    ['\ud800', '\ud800'],
  ])('makes %j %j', (text, tidy) => {
    expect(tidyLine(text)).toBe(tidy);
  });

  it('keeps lines apart', () => {
    expect(tidyLines(' a \r\n\n b\u2028c')).toEqual(['a', 'b', 'c']);
  });
});

describe('reading a number', () => {
  it.each([
    ['1.299,00', undefined, '1299.00'],
    ['1,299.00', undefined, '1299.00'],
    ["1'299.50", undefined, '1299.50'],
    ['1 299,5', undefined, '1299.5'],
    ['12,34,567', undefined, '1234567'],
    ['1.299.000', undefined, '1299000'],
    ['0.125', undefined, '0.125'],
    ['1234.567', undefined, '1234.567'],
    ['.5', undefined, '0.5'],
    ['−5', undefined, '-5'],
    ['-0,00', undefined, '0.00'],
    ['１２', undefined, '12'],
    ['1.299', ',', '1299'],
    ['1.299', '.', '1.299'],
    ['1,299', ',', '1.299'],
    ['1,299', '.', '1299'],
  ] as const)('reads %s with decimal mark %s as %s', (text, mark, value) => {
    expect(readNumber(text, mark)).toMatchObject({ kind: 'read', value });
  });

  it('leaves a lone separator before three digits open, without a locale', () => {
    expect(readNumber('1.299')).toMatchObject({ kind: 'ambiguous', candidates: ['1.299', '1299'] });
  });

  it.each(['', '.', '1..2', '1,2,3', '1.2.3,4,5', '12.34.567', '1 2', 'x', '1e3', '--1', '5.', '1'.repeat(600)])(
    'refuses %j',
    (text) => {
      expect(readNumber(text).kind).toBe('unreadable');
    },
  );
});

describe('reading a date', () => {
  it.each([
    ['03/04/2024', 'de-DE', '2024-04-03'],
    ['03/04/2024', 'en-US', '2024-03-04'],
    ['03/04/2024', 'en-GB', '2024-04-03'],
    ['13/04/2024', undefined, '2024-04-13'],
    ['04/13/2024', undefined, '2024-04-13'],
    ['04/04/2024', undefined, '2024-04-04'],
    ['13/04/2024', 'en-US', '2024-04-13'],
    ['3. 4. 2024', 'de', '2024-04-03'],
    ['2024/04/03', undefined, '2024-04-03'],
    ['2024年4月3日', undefined, '2024-04-03'],
    ['20240403', undefined, '2024-04-03'],
    ['3 April 2024', undefined, '2024-04-03'],
    ['Wed, April 3rd, 2024', undefined, '2024-04-03'],
    ['3. März 2024', undefined, '2024-03-03'],
    ['3 de marzo de 2024', undefined, '2024-03-03'],
    ['3 апреля 2024', 'ru-RU', '2024-04-03'],
    ['Sept. 2024', undefined, '2024-09'],
    ['04/2024', undefined, '2024-04'],
    ['2024', undefined, '2024'],
    ['2024-02-29T10:00:00Z', undefined, '2024-02-29T10:00:00Z'],
    ['03.04.2024 14:30', 'de-DE', '2024-04-03T14:30'],
    ['April 3, 2024, 2:05:09 p.m.', undefined, '2024-04-03T14:05:09'],
    ['2024-04-03 12:00 am', undefined, '2024-04-03T00:00'],
  ])('reads %s in locale %s as %s', (text, locale, value) => {
    expect(readDate(text, conventionsOf(locale))).toMatchObject({ kind: 'read', value });
  });

  it.each([undefined, 'en', 'sv-SE', 'zz'])('leaves the order of day and month open in locale %s', (locale) => {
    expect(readDate('03/04/2024', conventionsOf(locale))).toMatchObject({
      kind: 'ambiguous',
      candidates: ['2024-03-04', '2024-04-03'],
    });
  });

  it.each(['2024-04-03 25:00', '2024-04-03 13:00 pm', '2024-04-03 0:30 am', '2024 12:30', '2024-04-03 12:60'])(
    'refuses the time of %j',
    (text) => {
      expect(readDate(text).kind).toBe('unreadable');
    },
  );

  it('guesses no century', () => {
    expect(readDate('13/04/24')).toMatchObject({ kind: 'ambiguous', candidates: ['1924-04-13', '2024-04-13'] });
  });

  it.each([
    '2023-02-29',
    '31/04/2024',
    '2024-13',
    '00/00/2024',
    '99999999',
    '3 Foo 2024',
    'soon',
    '',
    '1/2',
    '9'.repeat(8_000),
  ])('refuses %j', (text) => {
    expect(readDate(text, conventionsOf('de-DE')).kind).toBe('unreadable');
  });

  it('takes no month for another in any of the common languages', () => {
    for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'])
      for (let month = 1; month <= 12; month++) {
        const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
          Date.UTC(2024, month - 1),
        );
        expect(monthOf(name)).toBe(month);
      }
  });
});

describe('the offset of a local time', () => {
  it.each([
    ['2024-04-03T14:30', 'Europe/Berlin', '2024-04-03T14:30+02:00'],
    ['2024-01-03T14:30:05.123', 'America/New_York', '2024-01-03T14:30:05.123-05:00'],
    ['2024-01-03T14:30', 'UTC', '2024-01-03T14:30+00:00'],
    ['2024-01-03T14:30', 'Asia/Kathmandu', '2024-01-03T14:30+05:45'],
    ['2024-01-03T14:30Z', 'Europe/Berlin', '2024-01-03T14:30Z'],
    ['2024-01-03', 'Europe/Berlin', '2024-01-03'],
  ])('of %s in %s is that of %s', (text, timezone, value) => {
    expect(withOffset(text, timezone)).toMatchObject({ kind: 'read', value });
  });

  it('is open in the hour that comes twice, and missing in the one that is left out', () => {
    expect(withOffset('2024-10-27T02:30', 'Europe/Berlin')).toMatchObject({
      kind: 'ambiguous',
      candidates: ['2024-10-27T02:30+02:00', '2024-10-27T02:30+01:00'],
    });
    expect(withOffset('2024-03-31T02:30', 'Europe/Berlin').kind).toBe('unreadable');
  });
});

describe('splitting off a legal form', () => {
  it.each([
    ['ACME G.m.b.H.', 'ACME', 'GmbH'],
    ['Acme, Inc.', 'Acme', 'Inc'],
    ['Müller GmbH & Co. KG', 'Müller', 'GmbH & Co. KG'],
    ['Acme Co., Ltd.', 'Acme', 'Co Ltd'],
    ['Cemex S.A.B. S. A. de C. V.', 'Cemex S.A.B.', 'SA de CV'],
    ['Carrefour S.A.', 'Carrefour', 'SA'],
    ['Kaffee UG (haftungsbeschränkt)', 'Kaffee', 'UG (haftungsbeschränkt)'],
    ['Smith Limited', 'Smith', 'Ltd'],
    ['トヨタ自動車株式会社', 'トヨタ自動車', '株式会社'],
    ['株式会社 日立製作所', '日立製作所', '株式会社'],
    ['PT Astra', 'Astra', 'PT'],
    ['Novo A/S', 'Novo', 'A/S'],
  ])('makes %s %s and %s', (text, name, legalForm) => {
    expect(splitLegalForm(text)).toMatchObject({ name, legalForm });
  });

  it('leaves letters that mean something else where the company is', () => {
    expect(splitLegalForm('Bar AS', 'US')).toBeUndefined();
    expect(splitLegalForm('Bar AS', 'NO')).toMatchObject({ legalForm: 'AS', confidence: 'high' });
    expect(splitLegalForm('Bar AS')).toMatchObject({ confidence: 'medium' });
    expect(splitLegalForm('such as')).toBeUndefined();
    expect(splitLegalForm('Bar a.s.', 'CZ')).toMatchObject({ legalForm: 'a.s.' });
  });

  it.each(['GmbH', 'Inc.', ', Ltd', '株式会社', 'ACME', '', 'x '.repeat(4_000)])('leaves %j whole', (text) => {
    expect(splitLegalForm(text)).toBeUndefined();
  });

  it('knows a form however it is pointed', () => {
    expect(legalFormOf('g.m.b.h')).toBe('GmbH');
    expect(legalFormOf('constructor')).toBeUndefined();
  });
});

describe('reading a measure', () => {
  it('adds up parts exactly: 2 lbs 3 oz are 992.233309375 g', () => {
    const measure = readMeasure('2 lbs 3 oz', ['mass']);
    if (measure.kind !== 'read') throw new Error(measure.detail);
    const rounded = canonicalMeasure(measure.value, { rounding: 'half-even' });
    expect(rounded).toEqual({ value: '992.23', unit: 'g', exact: '992.233309375' });
    const precise = canonicalMeasure(measure.value, { precision: 0, rounding: 'half-even' });
    expect(precise.value).toBe('992');
  });

  it.each([
    ['5\' 11"', 'length', '1.803', '1.8034'],
    ['5′11″', 'length', '1.803', '1.8034'],
    ['5 ft. 11 1/2 in.', 'length', '1.816', '1.8161'],
    ['1/2 in', 'length', '0.0127', '0.0127'],
    ['5½ in', 'length', '0.1397', '0.1397'],
    ['1,250 sq ft', 'area', '116.13', '116.1288'],
    ['1 250 m²', 'area', '1250', '1250'],
    ['0,5 mm', 'length', '0.0005', '0.0005'],
    ['2 lbs and 3 oz.', 'mass', '992.23', '992.233309375'],
    ['2 lb, 3 oz', 'mass', '992.23', '992.233309375'],
    ['1kg', 'mass', '1000', '1000'],
    ['12 fl oz', 'volume', '0.3549', '0.35488235475'],
  ] as const)('reads %s', (text, dimension, value, exact) => {
    const measure = readMeasure(text, [dimension], '.');
    if (measure.kind !== 'read') throw new Error(measure.detail);
    expect(canonicalMeasure(measure.value, { rounding: 'half-even' })).toMatchObject({ value, exact });
  });

  it.each([
    ['5', 'names no unit'],
    ['5 kg', 'mass, not area'],
    ['5 foo', 'no unit'],
    ['', 'not a measure'],
    ['kg', 'not a measure'],
    ['5 m2 3 m2', 'not a measure'],
    ['3 cm2 5 m2', 'not a measure'],
    ['5 - 6 m2', ''],
    ['1/0 m2', ''],
    ['6 x 5 m2', ''],
    ['5 m2 '.repeat(30), ''],
    ['1'.repeat(150), ''],
  ])('refuses %j as an area', (text, detail) => {
    const reading = readMeasure(text, ['area']);
    expect(reading).toMatchObject({ kind: 'unreadable', detail: expect.stringContaining(detail) as string });
  });

  it('names the meanings of an ambiguous unit', () => {
    expect(readMeasure('5 tons', ['mass'])).toMatchObject({ kind: 'ambiguous', candidates: ['t', 'ton_us', 'ton_uk'] });
  });
});

describe('reading hosts, addresses on the web and mail', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['a.b.co.uk', 'a.b.co.uk'],
  ])('reads the host %s as %s', (text, value) => {
    expect(readHost(text)).toMatchObject({ kind: 'read', value });
  });

  it.each([
    '',
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    'co.uk',
    'a b.com',
    'a..com',
    'x.invalidsuffix',
    '[::1]',
    'a'.repeat(8_000),
  ])('refuses the host %j', (text) => {
    expect(readHost(text).kind).toBe('unreadable');
  });

  it.each([
    ['HTTP://Example.COM/Path?Q=A', 'http://example.com/Path?Q=A'],
    ['www.Example.com', 'www.example.com'],
    ['https://münchen.de:8080/#A', 'https://xn--mnchen-3ya.de:8080/#A'],
  ])('reads the web address %s as %s', (text, value) => {
    expect(readWebAddress(text)).toMatchObject({ kind: 'read', value });
  });

  // oxlint-disable-next-line no-script-url
  it.each(['javascript:alert(1)', 'ftp://example.com', 'not a url', 'https://'])(
    'refuses the web address %j',
    (text) => {
      expect(readWebAddress(text).kind).toBe('unreadable');
    },
  );

  it.each([
    ['mailto:Info@Example.COM', 'Info@example.com'],
    [' a.b+c@münchen.de ', 'a.b+c@xn--mnchen-3ya.de'],
  ])('reads the mail address %s as %s', (text, value) => {
    expect(readEmail(text)).toMatchObject({ kind: 'read', value });
  });

  it.each(['a', '@b.com', 'a@', 'a@b', 'A <a@b.com>', 'a..b@c.com', 'a@b.com, c@d.com', `${'a'.repeat(65)}@b.com`])(
    'refuses the mail address %j',
    (text) => {
      expect(readEmail(text).kind).toBe('unreadable');
    },
  );
});

describe('reading a number of rooms', () => {
  it.each([
    ['2.5 ba', 'baths', '2.5'],
    ['2½ baths', 'baths', '2.5'],
    ['2 1/2', 'baths', '2.5'],
    ['2,50', 'baths', '2.5'],
    ['3 bd', 'beds', '3'],
    ['3-bedroom', 'beds', '3'],
    ['4 Zimmer', 'rooms', '4'],
  ] as const)('reads %s as %s: %s', (text, kind, value) => {
    expect(readRoomCount(text, kind)).toMatchObject({ kind: 'read', value });
  });

  it.each(['3 bd', 'two', '', '2 1/3', '-1', '2 full 1 half', '1e5'])('refuses %j as baths', (text) => {
    expect(readRoomCount(text, 'baths').kind).toBe('unreadable');
  });
});
