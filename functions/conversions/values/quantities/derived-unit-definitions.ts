import { type Dimension, type UnitDefinition, unit } from './unit-definition.ts';

// Sizes follow UCUM and NIST SP 811 (appendix B): the inch of 0.0254 m, the pound of 0.45359237 kg, standard gravity of
// 9.80665 m/s2, the conventional densities of mercury (13595.1 kg/m3) and of water (1000 kg/m3).
const POUND_FORCE = '0.45359237*9.80665';
const PER_SQUARE_INCH = '10000/254*10000/254';
const FOOT_POUND_FORCE = `0.3048*${POUND_FORCE}`;
const BTU_IT = '1055.05585262';

/** Base: pascal. */
const PRESSURE: readonly UnitDefinition[] = [
  unit('Pa', '1', 'pascal|N/m2', { prefixes: 'si' }),
  unit('bar', '100000', '', { prefixes: 'si' }),
  unit('atm', '101325', 'standard atmosphere|atmosphere'),
  unit('att', '98066.5', 'technical atmosphere|kgf/cm2'),
  unit('psi', `${POUND_FORCE}*${PER_SQUARE_INCH}`, 'pound per square inch|pounds per square inch|lbf/in2|[psi]'),
  unit('ksi', `1000*${POUND_FORCE}*${PER_SQUARE_INCH}`, 'kip per square inch|kips per square inch'),
  unit('psf', `${POUND_FORCE}*10000/3048*10000/3048`, 'pound per square foot|pounds per square foot|lbf/ft2'),
  unit('Torr', '101325/760', 'torr', { prefixes: 'si-below-one' }),
  unit('mmHg', '133.322387415', 'millimetre of mercury|millimeter of mercury|mm Hg|mm[Hg]'),
  unit('cmHg', '1333.22387415', 'centimetre of mercury|centimeter of mercury|cm Hg|cm[Hg]'),
  unit('inHg', '3386.388640341', "inch of mercury|inches of mercury|in Hg|[in_i'Hg]"),
  unit('mmH2O', '9.80665', 'millimetre of water|millimeter of water|mm H2O|mm[H2O]|kgf/m2'),
  unit('cmH2O', '98.0665', 'centimetre of water|centimeter of water|cm H2O|cm[H2O]'),
  unit('inH2O', '249.08891', "inch of water|inches of water|in H2O|inWC|[in_i'H2O]"),
  unit('ftH2O', '2989.06692', 'foot of water|feet of water|ft H2O'),
  unit('N/mm2', '1000000', ''),
  unit('dyn/cm2', '0.1', 'barye'),
];

/** Base: watt. */
const POWER: readonly UnitDefinition[] = [
  unit('W', '1', 'watt|J/s', { prefixes: 'si' }),
  unit('hp', `550*${FOOT_POUND_FORCE}`, 'horsepower|mechanical horsepower|imperial horsepower|bhp|[HP]'),
  unit('PS', '735.49875', 'metric horsepower|cv|hp_m'),
  unit('hp_e', '746', 'electric horsepower|electrical horsepower'),
  unit('Btu/h', `${BTU_IT}*1/3600`, 'Btu/hr|Btuh|Btu per hour|[Btu_IT]/h'),
  unit('MBH', `1000*${BTU_IT}*1/3600`, 'thousand Btu per hour'),
  unit('TR', `12000*${BTU_IT}*1/3600`, 'ton of refrigeration|tons of refrigeration|refrigeration ton'),
  unit('cal_th/s', '4.184', 'calorie per second|calories per second|cal/s'),
  unit('kcal_IT/h', '4186.8*1/3600', 'international table kilocalorie per hour'),
  unit('ft.lbf/s', FOOT_POUND_FORCE, 'foot-pound per second|foot-pounds per second'),
  unit('ft.lbf/min', `${FOOT_POUND_FORCE}*1/60`, 'foot-pound per minute|foot-pounds per minute'),
  unit('kgf.m/s', '9.80665', 'kilogram-force metre per second|kilogram-force meter per second'),
  unit('erg/s', '0.0000001', ''),
];

/** Base: newton. */
const FORCE: readonly UnitDefinition[] = [
  unit('N', '1', 'newton', { prefixes: 'si' }),
  unit('dyn', '0.00001', 'dyne'),
  unit('gf', '0.00980665', 'gram-force|gram force|pond'),
  unit('kgf', '9.80665', 'kilogram-force|kilogram force|kilopond|kp'),
  unit('tf', '9806.65', 'tonne-force|tonne force|metric ton-force'),
  unit('lbf', POUND_FORCE, 'pound-force|pound force|[lbf_av]'),
  unit('ozf', `${POUND_FORCE}*1/16`, 'ounce-force|ounce force'),
  unit('kip', `1000*${POUND_FORCE}`, 'kilopound|kilopound-force|klbf'),
  unit('tonf_us', `2000*${POUND_FORCE}`, 'US ton-force|short ton-force'),
  unit('tonf_uk', `2240*${POUND_FORCE}`, 'UK ton-force|long ton-force'),
  unit('pdl', '0.45359237*0.3048', 'poundal'),
];

/** Degrees of one radian, to 60 digits of pi. */
const RADIAN = '180/3.14159265358979323846264338327950288419716939937510582097494';

/** Base: degree. */
const ANGLE: readonly UnitDefinition[] = [
  unit('deg', '1', 'degree|degree of arc|arc degree'),
  unit('arcmin', '1/60', 'minute of arc|arc minute|arcminute|MOA'),
  unit('arcsec', '1/3600', 'second of arc|arc second|arcsecond'),
  unit('mas', '1/3600000', 'milliarcsecond|milli-arcsecond'),
  unit('gon', '0.9', 'grad|grade|gradian'),
  unit('turn', '360', 'revolution|rev|full circle|circ'),
  unit('quadrant', '90', 'right angle'),
  unit('mil_nato', '360/6400', 'NATO mil|angular mil'),
  unit('rad', RADIAN, 'radian', { approximate: true }),
  unit('mrad', `0.001*${RADIAN}`, 'milliradian', { approximate: true }),
];

/** Base: second. Months and years are the mean ones of the Julian calendar, as in UCUM. */
const TIME: readonly UnitDefinition[] = [
  unit('s', '1', 'second|sec', { prefixes: 'si-below-one' }),
  unit('min', '60', 'minute'),
  unit('h', '3600', 'hour|hr'),
  unit('d', '86400', 'day'),
  unit('wk', '604800', 'week'),
  unit('fortnight', '1209600', ''),
  unit('mo', '2629800', 'month|mo_j'),
  unit('yr', '31557600', 'year|Julian year|a_j'),
  unit('yr_365', '31536000', 'common year'),
  unit('yr_g', '31556952', 'Gregorian year|mean Gregorian year|a_g'),
  unit('decade', '315576000', ''),
  unit('century', '3155760000', 'centuries'),
];

/** Base: hertz. */
const FREQUENCY: readonly UnitDefinition[] = [
  unit('Hz', '1', 'hertz|1/s|s-1|cycles per second', { prefixes: 'si-above-one' }),
  unit('mHz', '0.001', 'millihertz'),
  unit('rpm', '1/60', 'revolution per minute|revolutions per minute|r/min|rev/min|1/min'),
  unit('rps', '1', 'revolution per second|revolutions per second|r/s|rev/s'),
  unit('rph', '1/3600', 'revolution per hour|revolutions per hour|1/h'),
  unit('bpm', '1/60', 'beat per minute|beats per minute'),
];

const KM_PER_MILE = '1.609344';
const US_GALLON = '3.785411784';
const UK_GALLON = '4.54609';

/** Base: kilometre per litre. Consumption is the reciprocal of what it is converted from. */
const FUEL: readonly UnitDefinition[] = [
  unit('km/L', '1', 'kilometre per litre|kilometer per liter|kilometres per litre|kilometers per liter|kmpl|kpl'),
  unit('mi/gal_us', `${KM_PER_MILE}/${US_GALLON}`, 'mpg|US mpg|mpg US|mpg_us|mile per gallon|miles per gallon|mi/gal'),
  unit('mi/gal_uk', `${KM_PER_MILE}/${UK_GALLON}`, 'UK mpg|mpg UK|mpg_uk|imperial mpg|mpg imp'),
  unit('mi/L', KM_PER_MILE, 'mile per litre|mile per liter|miles per litre|miles per liter'),
  unit('L/100km', '100', 'litres per 100 km|liters per 100 km|L per 100 km|litres per 100 kilometres', {
    reciprocal: true,
  }),
  unit('L/10km', '10', 'litres per 10 km|liters per 10 km', { reciprocal: true }),
  unit('L/km', '1', 'litres per kilometre|liters per kilometer', { reciprocal: true }),
  unit('gal_us/100mi', `100*${KM_PER_MILE}/${US_GALLON}`, 'gal/100mi|gallons per 100 miles', { reciprocal: true }),
  unit('gal_uk/100mi', `100*${KM_PER_MILE}/${UK_GALLON}`, 'UK gallons per 100 miles', { reciprocal: true }),
];

/** Base: bit per second. */
const DATA_RATE: readonly UnitDefinition[] = [
  unit('bit/s', '1', 'b/s|bps|bit per second|bits per second', { prefixes: 'iec-and-si' }),
  unit('B/s', '8', 'Bps|byte per second|bytes per second|By/s', { prefixes: 'iec-and-si' }),
  unit('B/min', '8/60', 'byte per minute|bytes per minute', { prefixes: 'iec-and-si' }),
  unit('B/h', '8/3600', 'byte per hour|bytes per hour', { prefixes: 'iec-and-si' }),
];

export const DERIVED = {
  pressure: PRESSURE,
  power: POWER,
  force: FORCE,
  angle: ANGLE,
  time: TIME,
  frequency: FREQUENCY,
  'fuel consumption': FUEL,
  'data rate': DATA_RATE,
} satisfies Partial<Record<Dimension, readonly UnitDefinition[]>>;
