import { DERIVED } from './derived-unit-definitions.ts';
import { type Dimension, type Options, type UnitDefinition, unit } from './unit-definition.ts';

const POWERS: Options = { powers: true };

/** Base: metre. */
const LENGTH: readonly UnitDefinition[] = [
  unit('m', '1', 'metre|meter', { prefixes: 'si', powers: true }),
  unit('in', '0.0254', 'inch|[in_i]|"', POWERS),
  unit('ft', '0.3048', "foot|[ft_i]|'", POWERS),
  unit('yd', '0.9144', 'yard|[yd_i]', POWERS),
  unit('mi', '1609.344', 'mile|[mi_i]|statute mile', POWERS),
  unit('nmi', '1852', 'nautical mile|[nmi_i]|NM', POWERS),
  unit('mil', '0.0000254', 'thou|[mil_i]'),
  unit('hand', '0.1016', '[hd_i]'),
  unit('fathom', '1.8288', 'ftm|[fth_i]'),
  unit('rod', '5.0292', 'perch|[rd_i]', POWERS),
  unit('chain', '20.1168', '[ch_i]', POWERS),
  unit('furlong', '201.168', 'fur|[fur_i]'),
  unit('link', '0.201168', 'gunter link'),
  unit('cable_us', '219.456', 'cable length (us)'),
  unit('league', '4828.032', 'land league'),
  unit('ft_us', '1200/3937', 'US survey foot|survey foot|[ft_us]', POWERS),
  unit('mi_us', '5280*1200/3937', 'US survey mile|survey mile|[mi_us]', POWERS),
  unit('Ao', '0.0000000001', 'angstrom|ångström|Å'),
  unit('au', '149597870700', 'astronomical unit'),
  unit('ly', '9460730472580800', 'light year|light-year|lightyear|[ly]'),
  unit('pica', '0.0254*1/6', '[pca]'),
  unit('shaku', '10/33', '尺'),
  unit('ken', '20/11', '間'),
  unit('sun', '1/33', '寸'),
];

/** Base: square metre. */
const AREA: readonly UnitDefinition[] = [
  unit('a', '100', 'are|ar'),
  unit('ha', '10000', 'hectare|har'),
  unit('acre', '4046.8564224', 'ac|international acre'),
  unit('acre_us', '43560*1200/3937*1200/3937', 'US survey acre|survey acre|[acr_us]'),
  unit('rood', '1011.7141056', ''),
  unit('section', '2589988.110336', ''),
  unit('township', '93239571.972096', ''),
  unit('tsubo', '400/121', '坪|ping|pyeong|평'),
  unit('se', '12000/121', '畝'),
  unit('tan', '120000/121', '反'),
  unit('cho', '1200000/121', '町'),
  unit('mu', '2000/3', '亩|chinese acre'),
  unit('rai', '1600', 'ไร่'),
  unit('ngan', '400', ''),
  unit('dunam', '1000', 'dönüm|decare|stremma'),
  unit('guntha', '101.17141056', ''),
  unit('cent_in', '40.468564224', 'indian cent'),
  unit('marla', '25.29285264', ''),
  unit('kanal', '505.8570528', ''),
  unit('barn', '0.0000000000000000000000000001', ''),
];

/** Base: kilogram. */
const MASS: readonly UnitDefinition[] = [
  unit('g', '0.001', 'gram|gramme', { prefixes: 'si' }),
  unit('t', '1000', 'tonne|metric ton|metric tonne', { prefixes: 'si-above-one' }),
  unit('lb', '0.45359237', 'pound|[lb_av]|lbs|lbm|#'),
  unit('oz', '0.028349523125', 'ounce|[oz_av]|ozs'),
  unit('dr', '0.0017718451953125', 'dram|drachm|[dr_av]'),
  unit('gr', '0.00006479891', 'grain|[gr]'),
  unit('st', '6.35029318', 'stone|[stone_av]'),
  unit('cwt_us', '45.359237', 'short hundredweight|US hundredweight|[scwt_av]|cental'),
  unit('cwt_uk', '50.80234544', 'long hundredweight|UK hundredweight|imperial hundredweight|[lcwt_av]'),
  unit('ton_us', '907.18474', 'short ton|US ton|[ston_av]|tn'),
  unit('ton_uk', '1016.0469088', 'long ton|UK ton|imperial ton|[lton_av]'),
  unit('ozt', '0.0311034768', 'troy ounce|oz t|[oz_tr]|[oz_ap]'),
  unit('lbt', '0.3732417216', 'troy pound|lb t|[lb_tr]|[lb_ap]'),
  unit('dwt', '0.00155517384', 'pennyweight|[pwt_tr]'),
  unit('scruple', '0.0012959782', '[sc_ap]'),
  unit('ct', '0.0002', 'carat|metric carat|[car_m]'),
  unit('q', '100', 'quintal|metric quintal'),
  unit('slug', '0.45359237*9.80665*10000/3048', ''),
  unit('kan', '3.75', '貫'),
  unit('momme', '0.00375', '匁'),
  unit('kin', '0.6', '斤'),
  unit('jin', '0.5', 'chinese catty|市斤'),
  unit('tola', '0.0116638038', ''),
];

const US_GALLON = '0.003785411784';
const UK_GALLON = '0.00454609';

/** Base: cubic metre. Names of customary measures without a country are those of the United States. */
const VOLUME: readonly UnitDefinition[] = [
  unit('L', '0.001', 'litre|liter|l|ltr', { prefixes: 'si' }),
  unit('gal_us', US_GALLON, 'gallon|US gallon|gal|US gal|liquid gallon|[gal_us]'),
  unit('qt_us', `${US_GALLON}*1/4`, 'quart|US quart|qt|US qt|liquid quart|[qt_us]'),
  unit('pt_us', `${US_GALLON}*1/8`, 'pint|US pint|pt|US pt|liquid pint|[pt_us]'),
  unit('cup_us', `${US_GALLON}*1/16`, 'cup|US cup|[cup_us]'),
  unit('gill_us', `${US_GALLON}*1/32`, 'gill|US gill|[gil_us]'),
  unit('floz_us', `${US_GALLON}*1/128`, 'fluid ounce|US fluid ounce|fl oz|US fl oz|fl oz US|floz|oz fl|[foz_us]'),
  unit('tbsp_us', `${US_GALLON}*1/256`, 'tablespoon|US tablespoon|tbsp|US tbsp|tbs|[tbs_us]'),
  unit('tsp_us', `${US_GALLON}*1/768`, 'teaspoon|US teaspoon|tsp|US tsp|[tsp_us]'),
  unit('fldr_us', `${US_GALLON}*1/1024`, 'fluid dram|US fluid dram|fl dr|US fl dr|[fdr_us]'),
  unit('minim_us', `${US_GALLON}*1/61440`, 'minim|US minim|[min_us]'),
  unit('bbl', '0.158987294928', 'oil barrel|barrel of oil|[bbl_us]'),
  unit('beer_bbl_us', '0.117347765304', 'US beer barrel'),
  unit('bu_us', '0.03523907016688', 'bushel|US bushel|bu|[bu_us]'),
  unit('pk_us', '0.00880976754172', 'peck|US peck|pk|[pk_us]'),
  unit('dry_gal_us', '0.00440488377086', 'dry gallon|US dry gallon|[gal_wi]'),
  unit('dry_qt_us', '0.001101220942715', 'dry quart|US dry quart|[dqt_us]'),
  unit('dry_pt_us', '0.0005506104713575', 'dry pint|US dry pint|[dpt_us]'),
  unit('gal_uk', UK_GALLON, 'imperial gallon|UK gallon|UK gal|imp gal|gal imp|[gal_br]'),
  unit('qt_uk', `${UK_GALLON}*1/4`, 'imperial quart|UK quart|UK qt|imp qt|[qt_br]'),
  unit('pt_uk', `${UK_GALLON}*1/8`, 'imperial pint|UK pint|UK pt|imp pt|[pt_br]'),
  unit('gill_uk', `${UK_GALLON}*1/32`, 'imperial gill|UK gill|[gil_br]'),
  unit('floz_uk', `${UK_GALLON}*1/160`, 'imperial fluid ounce|UK fluid ounce|UK fl oz|fl oz UK|imp fl oz|[foz_br]'),
  unit('fldr_uk', `${UK_GALLON}*1/1280`, 'imperial fluid drachm|UK fluid dram|UK fl dr|[fdr_br]'),
  unit('minim_uk', `${UK_GALLON}*1/76800`, 'imperial minim|UK minim|[min_br]'),
  unit('bu_uk', '0.03636872', 'imperial bushel|UK bushel|[bu_br]'),
  unit('pk_uk', '0.00909218', 'imperial peck|UK peck|[pk_br]'),
  unit('acre_ft', '4046.8564224*0.3048', 'acre foot|acre-foot|ac ft|acft|acre ft'),
  unit('cord', '3.624556363776', '[crd_us]'),
  unit('fbm', '0.002359737216', 'board foot|bd ft|[bf_i]'),
  unit('stere', '1', ''),
  unit('cup_metric', '0.00025', 'metric cup|[cup_m]'),
  unit('tbsp_metric', '0.000015', 'metric tablespoon|[tbs_m]'),
  unit('tsp_metric', '0.000005', 'metric teaspoon|[tsp_m]'),
  unit('tbsp_au', '0.00002', 'australian tablespoon|AU tbsp'),
  unit('go', '0.001*2401/13310', '合'),
  unit('sho', '0.001*2401/1331', '升'),
  unit('koku', '0.1*2401/1331', '石'),
];

/** Base: kelvin. */
const TEMPERATURE: readonly UnitDefinition[] = [
  unit('K', '1', 'kelvin'),
  unit('Cel', '1', 'degree Celsius|celsius|degC|C|centigrade', { zero: '273.15' }),
  unit('degF', '5/9', 'degree Fahrenheit|fahrenheit|F|[degF]', { zero: '45967/180' }),
  unit('degR', '5/9', 'degree Rankine|rankine|R|[degR]'),
  unit('degRe', '1.25', 'degree Réaumur|réaumur|reaumur|[degRe]', { zero: '273.15' }),
];

/** Base: metre per second. */
const SPEED: readonly UnitDefinition[] = [
  unit('m/s', '1', 'metre per second|meter per second|metres per second|meters per second|mps|m.s-1'),
  unit('km/h', '5/18', 'kilometre per hour|kilometer per hour|kilometres per hour|kilometers per hour|kmh|kph|km/hr'),
  unit('mi/h', '0.44704', 'mile per hour|miles per hour|mph|[mi_i]/h'),
  unit('kn', '463/900', 'knot|kts|[kn_i]|nmi/h'),
  unit('ft/s', '0.3048', 'foot per second|feet per second|fps|[ft_i]/s'),
  unit('ft/min', '0.00508', 'foot per minute|feet per minute|fpm|[ft_i]/min'),
  unit('in/s', '0.0254', 'inch per second|inches per second|ips'),
  unit('yd/s', '0.9144', 'yard per second|yards per second'),
  unit('mi/s', '1609.344', 'mile per second|miles per second'),
  unit('mi/min', '26.8224', 'mile per minute|miles per minute'),
  unit('m/min', '1/60', 'metre per minute|meter per minute|metres per minute|meters per minute'),
  unit('m/h', '1/3600', 'metre per hour|meter per hour|metres per hour|meters per hour'),
  unit('cm/s', '0.01', 'centimetre per second|centimeter per second|centimetres per second|centimeters per second'),
  unit('mm/s', '0.001', 'millimetre per second|millimeter per second|millimetres per second|millimeters per second'),
  unit('km/s', '1000', 'kilometre per second|kilometer per second|kilometres per second|kilometers per second'),
  unit('km/min', '50/3', 'kilometre per minute|kilometer per minute|kilometres per minute|kilometers per minute'),
  unit('c', '299792458', 'speed of light|[c]'),
];

const FOOT_POUND = '0.3048*0.45359237*9.80665';
const BTU_IT = '1055.05585262';

/** Base: joule. */
const ENERGY: readonly UnitDefinition[] = [
  unit('J', '1', 'joule|W.s|Ws', { prefixes: 'si' }),
  unit('Wh', '3600', 'watt hour|watt-hour|watthour|W.h|W h', { prefixes: 'si' }),
  unit('cal', '4.184', 'calorie|thermochemical calorie|cal_th|[cal_th]', { prefixes: 'si-above-one' }),
  unit('Cal', '4184', 'food calorie|large calorie|dietary calorie|[Cal]'),
  unit('cal_IT', '4.1868', 'international table calorie|IT calorie', { prefixes: 'si-above-one' }),
  unit('Btu', BTU_IT, 'british thermal unit|Btu_IT|[Btu_IT]|[Btu]'),
  unit('Btu_th', '4.184*453.59237*5/9', 'thermochemical british thermal unit|[Btu_th]'),
  unit('MMBtu', '1055055852.62', 'million Btu'),
  unit('therm_us', '105480400', 'US therm'),
  unit('therm_ec', '105505585.262', 'EC therm|therm (EC)'),
  unit('quad', '1055055852620000000', ''),
  unit('eV', '0.0000000000000000001602176634', 'electronvolt|electron volt', { prefixes: 'si-above-one' }),
  unit('erg', '0.0000001', ''),
  unit('ft.lbf', FOOT_POUND, 'foot-pound|foot pound|foot-pound force|ft lb|ft lbf|[ft_i].[lbf_av]'),
  unit('in.lbf', `${FOOT_POUND}*1/12`, 'inch-pound|inch pound|inch-pound force|in lb|in lbf'),
  unit('ft.pdl', '0.3048*0.3048*0.45359237', 'foot-poundal|foot poundal'),
  unit('kgf.m', '9.80665', 'kilogram-force metre|kilogram-force meter|kilopond metre|kgf m'),
  unit('hp.h', `1980000*${FOOT_POUND}`, 'horsepower hour|horsepower-hour|hp h|hph'),
  unit('PS.h', '2647795.5', 'metric horsepower hour|metric horsepower-hour'),
  unit('tTNT', '4184000000', 'ton of TNT|tonne of TNT', { prefixes: 'si-above-one' }),
  unit('TR.h', `12000*${BTU_IT}`, 'ton of refrigeration hour|ton-hour'),
  unit('L.atm', '101.325', 'litre-atmosphere|liter-atmosphere'),
];

/** Base: bit. */
const DATA: readonly UnitDefinition[] = [
  unit('bit', '1', 'b', { prefixes: 'iec-and-si' }),
  unit('B', '8', 'byte|octet|By', { prefixes: 'iec-and-si' }),
  unit('nibble', '4', 'nybble'),
];

export const DEFINITIONS: Readonly<Record<Dimension, readonly UnitDefinition[]>> = {
  length: LENGTH,
  area: AREA,
  mass: MASS,
  volume: VOLUME,
  temperature: TEMPERATURE,
  speed: SPEED,
  energy: ENERGY,
  data: DATA,
  ...DERIVED,
};

/** Names with different meanings in different places or for different people. The caller has to choose. */
export const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  ton: ['t', 'ton_us', 'ton_uk'],
  tons: ['t', 'ton_us', 'ton_uk'],
  cwt: ['cwt_us', 'cwt_uk'],
  hundredweight: ['cwt_us', 'cwt_uk'],
  KB: ['kB', 'KiB'],
  barrel: ['bbl', 'beer_bbl_us'],
  therm: ['therm_us', 'therm_ec'],
  'oz.': ['oz', 'floz_us'],
};
