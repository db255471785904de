/** The issuer of the number. The prefix does not tell where the goods were made. */
export interface Issuer {
  /** The first three digits of the number as EAN-13, or as EAN-8. */
  readonly prefix: string;
  /** The member organisation, or the purpose that the range is reserved for. */
  readonly organisation: string;
  /** The area that the organisation serves: ISO 3166 alpha-2; empty for ranges without an area. */
  readonly countries: readonly string[];
}

type Range = readonly [from: number, to: number, organisation: string, countries: string];

const IN_REGION = 'restricted circulation within a region';
const IN_COMPANY = 'restricted circulation within a company';

/** Ranges that GS1 has assigned; numbers between them are not in use. */
const RANGES: readonly Range[] = [
  [0, 19, 'GS1 US', 'US'],
  [20, 29, IN_REGION, ''],
  [30, 39, 'GS1 US', 'US'],
  [40, 49, IN_COMPANY, ''],
  [50, 59, 'GS1 US, reserved', 'US'],
  [60, 139, 'GS1 US', 'US'],
  [200, 299, IN_REGION, ''],
  [300, 379, 'GS1 France', 'FR MC'],
  [380, 380, 'GS1 Bulgaria', 'BG'],
  [383, 383, 'GS1 Slovenia', 'SI'],
  [385, 385, 'GS1 Croatia', 'HR'],
  [387, 387, 'GS1 Bosnia and Herzegovina', 'BA'],
  [389, 389, 'GS1 Montenegro', 'ME'],
  [390, 390, 'GS1 Kosovo', 'XK'],
  [400, 440, 'GS1 Germany', 'DE'],
  [450, 459, 'GS1 Japan', 'JP'],
  [460, 469, 'GS1 Russia', 'RU'],
  [470, 470, 'GS1 Kyrgyzstan', 'KG'],
  [471, 471, 'GS1 Chinese Taipei', 'TW'],
  [474, 474, 'GS1 Estonia', 'EE'],
  [475, 475, 'GS1 Latvia', 'LV'],
  [476, 476, 'GS1 Azerbaijan', 'AZ'],
  [477, 477, 'GS1 Lithuania', 'LT'],
  [478, 478, 'GS1 Uzbekistan', 'UZ'],
  [479, 479, 'GS1 Sri Lanka', 'LK'],
  [480, 480, 'GS1 Philippines', 'PH'],
  [481, 481, 'GS1 Belarus', 'BY'],
  [482, 482, 'GS1 Ukraine', 'UA'],
  [483, 483, 'GS1 Turkmenistan', 'TM'],
  [484, 484, 'GS1 Moldova', 'MD'],
  [485, 485, 'GS1 Armenia', 'AM'],
  [486, 486, 'GS1 Georgia', 'GE'],
  [487, 487, 'GS1 Kazakhstan', 'KZ'],
  [488, 488, 'GS1 Tajikistan', 'TJ'],
  [489, 489, 'GS1 Hong Kong', 'HK'],
  [490, 499, 'GS1 Japan', 'JP'],
  [500, 509, 'GS1 UK', 'GB'],
  [520, 521, 'GS1 Greece', 'GR'],
  [528, 528, 'GS1 Lebanon', 'LB'],
  [529, 529, 'GS1 Cyprus', 'CY'],
  [530, 530, 'GS1 Albania', 'AL'],
  [531, 531, 'GS1 North Macedonia', 'MK'],
  [535, 535, 'GS1 Malta', 'MT'],
  [539, 539, 'GS1 Ireland', 'IE'],
  [540, 549, 'GS1 Belgium and Luxembourg', 'BE LU'],
  [560, 560, 'GS1 Portugal', 'PT'],
  [569, 569, 'GS1 Iceland', 'IS'],
  [570, 579, 'GS1 Denmark', 'DK FO GL'],
  [590, 590, 'GS1 Poland', 'PL'],
  [594, 594, 'GS1 Romania', 'RO'],
  [599, 599, 'GS1 Hungary', 'HU'],
  [600, 601, 'GS1 South Africa', 'ZA'],
  [603, 603, 'GS1 Ghana', 'GH'],
  [604, 604, 'GS1 Senegal', 'SN'],
  [605, 605, 'GS1 Uganda', 'UG'],
  [606, 606, 'GS1 Angola', 'AO'],
  [607, 607, 'GS1 Oman', 'OM'],
  [608, 608, 'GS1 Bahrain', 'BH'],
  [609, 609, 'GS1 Mauritius', 'MU'],
  [611, 611, 'GS1 Morocco', 'MA'],
  [613, 613, 'GS1 Algeria', 'DZ'],
  [615, 615, 'GS1 Nigeria', 'NG'],
  [616, 616, 'GS1 Kenya', 'KE'],
  [617, 617, 'GS1 Cameroon', 'CM'],
  [618, 618, "GS1 Côte d'Ivoire", 'CI'],
  [619, 619, 'GS1 Tunisia', 'TN'],
  [620, 620, 'GS1 Tanzania', 'TZ'],
  [621, 621, 'GS1 Syria', 'SY'],
  [622, 622, 'GS1 Egypt', 'EG'],
  [623, 623, 'GS1 Brunei', 'BN'],
  [624, 624, 'GS1 Libya', 'LY'],
  [625, 625, 'GS1 Jordan', 'JO'],
  [626, 626, 'GS1 Iran', 'IR'],
  [627, 627, 'GS1 Kuwait', 'KW'],
  [628, 628, 'GS1 Saudi Arabia', 'SA'],
  [629, 629, 'GS1 United Arab Emirates', 'AE'],
  [630, 630, 'GS1 Qatar', 'QA'],
  [631, 631, 'GS1 Namibia', 'NA'],
  [640, 649, 'GS1 Finland', 'FI'],
  [680, 681, 'GS1 China', 'CN'],
  [690, 699, 'GS1 China', 'CN'],
  [700, 709, 'GS1 Norway', 'NO'],
  [729, 729, 'GS1 Israel', 'IL'],
  [730, 739, 'GS1 Sweden', 'SE'],
  [740, 740, 'GS1 Guatemala', 'GT'],
  [741, 741, 'GS1 El Salvador', 'SV'],
  [742, 742, 'GS1 Honduras', 'HN'],
  [743, 743, 'GS1 Nicaragua', 'NI'],
  [744, 744, 'GS1 Costa Rica', 'CR'],
  [745, 745, 'GS1 Panama', 'PA'],
  [746, 746, 'GS1 Dominican Republic', 'DO'],
  [750, 750, 'GS1 Mexico', 'MX'],
  [754, 755, 'GS1 Canada', 'CA'],
  [759, 759, 'GS1 Venezuela', 'VE'],
  [760, 769, 'GS1 Switzerland', 'CH LI'],
  [770, 771, 'GS1 Colombia', 'CO'],
  [773, 773, 'GS1 Uruguay', 'UY'],
  [775, 775, 'GS1 Peru', 'PE'],
  [777, 777, 'GS1 Bolivia', 'BO'],
  [778, 779, 'GS1 Argentina', 'AR'],
  [780, 780, 'GS1 Chile', 'CL'],
  [784, 784, 'GS1 Paraguay', 'PY'],
  [786, 786, 'GS1 Ecuador', 'EC'],
  [789, 790, 'GS1 Brazil', 'BR'],
  [800, 839, 'GS1 Italy', 'IT SM VA'],
  [840, 849, 'GS1 Spain', 'ES AD'],
  [850, 850, 'GS1 Cuba', 'CU'],
  [858, 858, 'GS1 Slovakia', 'SK'],
  [859, 859, 'GS1 Czech Republic', 'CZ'],
  [860, 860, 'GS1 Serbia', 'RS'],
  [865, 865, 'GS1 Mongolia', 'MN'],
  [867, 867, 'GS1 DPR Korea', 'KP'],
  [868, 869, 'GS1 Türkiye', 'TR'],
  [870, 879, 'GS1 Netherlands', 'NL'],
  [880, 881, 'GS1 Korea', 'KR'],
  [883, 883, 'GS1 Myanmar', 'MM'],
  [884, 884, 'GS1 Cambodia', 'KH'],
  [885, 885, 'GS1 Thailand', 'TH'],
  [888, 888, 'GS1 Singapore', 'SG'],
  [890, 890, 'GS1 India', 'IN'],
  [893, 893, 'GS1 Vietnam', 'VN'],
  [896, 896, 'GS1 Pakistan', 'PK'],
  [899, 899, 'GS1 Indonesia', 'ID'],
  [900, 919, 'GS1 Austria', 'AT'],
  [930, 939, 'GS1 Australia', 'AU'],
  [940, 949, 'GS1 New Zealand', 'NZ'],
  [950, 950, 'GS1 Global Office', ''],
  [951, 951, 'GS1 Global Office, EPC general manager numbers', ''],
  [952, 952, 'GS1 Global Office, demonstrations and examples', ''],
  [955, 955, 'GS1 Malaysia', 'MY'],
  [958, 958, 'GS1 Macau', 'MO'],
  [960, 969, 'GS1 Global Office, GTIN-8 allocations', ''],
  [977, 977, 'ISSN International Centre, serial publications', ''],
  [978, 979, 'International ISBN Agency, books', ''],
  [980, 980, 'refund receipts', ''],
  [981, 984, 'coupons in a common currency area', ''],
  [990, 999, 'coupons', ''],
];

/** The issuer of a valid GTIN-14; undefined where GS1 has not assigned its prefix. */
export function issuerOf(gtin14: string): Issuer | undefined {
  const short = gtin14.startsWith('000000');
  const prefix = short ? gtin14.slice(6, 9) : gtin14.slice(1, 4);
  const number = Number(prefix);
  if (short && number < 100) return { prefix, organisation: IN_COMPANY, countries: [] };
  const range = RANGES.find(([from, to]) => from <= number && number <= to);
  if (range === undefined) return undefined;
  const [, , organisation, countries] = range;
  return {
    prefix,
    organisation: ismn(gtin14) ?? organisation,
    countries: countries === '' ? [] : countries.split(' '),
  };
}

const ismn = (gtin14: string): string | undefined =>
  gtin14.slice(1).startsWith('9790') ? 'International ISMN Agency, printed music' : undefined;
