export type Trade = 'grocery' | 'cafe' | 'pharmacy' | 'fuel' | 'hardware' | 'minimart' | 'restaurant';

export type Country = 'US' | 'MY' | 'FR' | 'IT' | 'ES';

export interface Store {
  readonly name: string;
  readonly trade: Trade;
  readonly country: Country;
  /** Street, then town with its region and postal code. */
  readonly address: readonly string[];
  readonly phone: string;
  /** As the register of companies or the tax office writes it. */
  readonly registration?: string;
}

type Row = readonly [name: string, trade: Trade, street: string, town: string, phone: string, registration?: string];

/** Names are made up. */
const AMERICAN: readonly Row[] = [
  ['GREENLEAF MARKET', 'grocery', '1180 ALDER STREET', 'PORTLAND, OR 97205', '(503) 555-0142'],
  ['HARVEST TABLE FOODS', 'grocery', '402 S MAPLE AVE', 'DAYTON, OH 45402', '937-555-0118'],
  ['PRAIRIE FRESH SUPERMARKET', 'grocery', '7750 E 21ST ST N', 'WICHITA, KS 67206', '(316) 555-0173'],
  ['CORNER BASKET', 'grocery', '88 NORTH MAIN STREET', 'CONCORD, NH 03301', '603.555.0109'],
  ['BAYSIDE GROCERS', 'grocery', '2301 HARBOR BLVD', 'TAMPA, FL 33605', '(813) 555-0166'],
  ['VALLEY PANTRY', 'grocery', '915 W COLUMBIA RD', 'BOISE, ID 83709', '208-555-0131'],
  ['SUNRISE FOOD MART', 'grocery', '5620 N CAVE CREEK RD', 'PHOENIX, AZ 85022', '(602) 555-0187'],
  ['Copper Kettle Coffee', 'cafe', '214 2nd Avenue', 'Seattle, WA 98104', '206-555-0125'],
  ["Nora's Corner Cafe", 'cafe', '31 Elm Street', 'Burlington, VT 05401', '(802) 555-0190'],
  ['Blue Heron Bistro', 'cafe', '1409 Canal Street', 'New Orleans, LA 70112', '504-555-0104'],
  ['The Daily Grind', 'cafe', '660 Grant Street', 'Denver, CO 80203', '(303) 555-0158'],
  ['Mesa Verde Taqueria', 'cafe', '77 Paseo de Peralta', 'Santa Fe, NM 87501', '505-555-0136'],
  ['Lakeview Diner', 'cafe', '3902 Lyndale Ave S', 'Minneapolis, MN 55409', '(612) 555-0121'],
  ['WELLSPRING PHARMACY', 'pharmacy', '1200 MARKET STREET', 'PHILADELPHIA, PA 19107', '215-555-0177'],
  ['CAREPOINT DRUGS', 'pharmacy', '540 BOYLSTON STREET', 'BOSTON, MA 02116', '(617) 555-0149'],
  ['HEARTLAND PHARMACY', 'pharmacy', '2410 UNIVERSITY AVE', 'DES MOINES, IA 50311', '515-555-0113'],
  ['MEDIQUICK DRUGSTORE', 'pharmacy', '9012 BROADWAY', 'SAN ANTONIO, TX 78217', '(210) 555-0198'],
  ['REDWOOD FUEL STOP', 'fuel', '4471 HWY 101 N', 'EUREKA, CA 95503', '707-555-0128'],
  ['TRAVELERS GAS & GO', 'fuel', 'I-80 EXIT 284', 'LINCOLN, NE 68528', '(402) 555-0163'],
  ['PINE RIDGE QUICK STOP', 'fuel', '1835 US HWY 64', 'ASHEVILLE, NC 28803', '828-555-0115'],
  ['MERIDIAN PETROLEUM', 'fuel', '6100 S STATE STREET', 'SALT LAKE CITY, UT 84107', '(801) 555-0182'],
  ['IRONWOOD HARDWARE', 'hardware', '3315 PEACH ST', 'ERIE, PA 16508', '814-555-0139'],
  ['CEDAR SUPPLY CO', 'hardware', '1702 N DIVISION ST', 'SPOKANE, WA 99207', '(509) 555-0151'],
  ['MILLTOWN BUILDERS SUPPLY', 'hardware', '225 CHELMSFORD ST', 'LOWELL, MA 01851', '978-555-0107'],
];

const MALAYSIAN: readonly Row[] = [
  [
    'KEDAI PERKAKAS SERI INDAH SDN BHD',
    'hardware',
    'NO 18, JALAN SERI INDAH 3',
    '81300 SKUDAI, JOHOR',
    '07-555 0182',
    '412387-K',
  ],
  [
    'TEGUH HARDWARE TRADING',
    'hardware',
    'LOT 22, JALAN MERU BATU 5',
    '41050 KLANG, SELANGOR',
    '03-3355 0117',
    'SA0123456-D',
  ],
  [
    'BINTANG MAJU ENTERPRISE',
    'hardware',
    '5, JALAN PJS 11/28',
    '46150 PETALING JAYA, SELANGOR',
    '03-5622 0143',
    '001984562-H',
  ],
  ['PASARAYA HARMONI SDN BHD', 'minimart', 'NO 3, JALAN RADIN BAGUS', '57000 KUALA LUMPUR', '03-9055 0106', '587114-T'],
  [
    'MEGAH JAYA MINI MARKET',
    'minimart',
    '21 JALAN TUN RAZAK',
    '80000 JOHOR BAHRU, JOHOR',
    '07-2222 0195',
    'JM0456123-U',
  ],
  [
    'SRI MUTIARA TRADING SDN BHD',
    'minimart',
    '47 LEBUH PANTAI',
    '10300 GEORGE TOWN, PENANG',
    '04-2618 0134',
    '731205-W',
  ],
  [
    'KLINIK DAN FARMASI CAHAYA SDN BHD',
    'minimart',
    '12A, JALAN SS 21/37',
    '47400 PETALING JAYA, SELANGOR',
    '03-7725 0150',
    '904417-P',
  ],
  ['RESTORAN SELERA KAMPUNG', 'restaurant', '9, JALAN AMPANG', '50450 KUALA LUMPUR', '03-2161 0119', '002274618-X'],
  ['KOPITIAM LORONG LAMA SDN BHD', 'restaurant', '33, LORONG HANG JEBAT', '75200 MELAKA', '06-2841 0162', '823360-M'],
  [
    'NASI KANDAR BUKIT BINTANG',
    'restaurant',
    '101 JALAN BUKIT BINTANG',
    '55100 KUALA LUMPUR',
    '03-2144 0178',
    '001537940-A',
  ],
  [
    'WARUNG TEPI SAWAH SDN BHD',
    'restaurant',
    'LOT 4, JALAN ALOR MENGKUDU',
    '05400 ALOR SETAR, KEDAH',
    '04-7714 0121',
    '668032-V',
  ],
  [
    'OLD TOWN NOODLE HOUSE SDN BHD',
    'restaurant',
    '16, JALAN BIJEH TIMAH',
    '30000 IPOH, PERAK',
    '05-2549 0186',
    '790541-D',
  ],
];

const EUROPEAN: Readonly<Record<Exclude<Country, 'US' | 'MY'>, readonly Row[]>> = {
  FR: [
    ['MARCHE DES HALLES SARL', 'minimart', '12 RUE DES TANNEURS', '37000 TOURS', '02 47 55 01 82'],
    ['SUPERMARCHE DU PORT SAS', 'minimart', '4 AVENUE DE LA GARE', '29200 BREST', '02 98 55 01 17'],
  ],
  IT: [
    ['ALIMENTARI DEL CORSO SRL', 'minimart', 'VIA DEI MILLE 18', '43100 PARMA', '0521 555 0143'],
    ['SUPERMERCATO LA PIAZZA SPA', 'minimart', 'VIALE EUROPA 77', '35100 PADOVA', '049 555 0166'],
  ],
  ES: [
    ['SUPERMERCADO LA PLAZA SL', 'minimart', 'CALLE MAYOR 21', '50001 ZARAGOZA', '976 555 018'],
    ['MERCADO DEL NORTE SA', 'minimart', 'AVENIDA DEL MAR 5', '33201 GIJON', '985 555 014'],
  ],
};

const storeIn =
  (country: Store['country']) =>
  ([name, trade, street, town, phone, registration]: Row): Store => ({
    name,
    trade,
    country,
    address: [street, town],
    phone,
    ...(registration === undefined ? {} : { registration }),
  });

export const STORES: readonly Store[] = [...AMERICAN.map(storeIn('US')), ...MALAYSIAN.map(storeIn('MY'))];

/** Stores of countries that no seed draws unless it is asked for. */
export const EUROPEAN_STORES: readonly Store[] = (['FR', 'IT', 'ES'] as const).flatMap((country) =>
  EUROPEAN[country].map(storeIn(country)),
);
