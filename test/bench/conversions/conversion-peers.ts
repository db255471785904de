import { createRequire } from 'node:module';
import { convert } from 'convert';

/** A published library of conversions, called as its documentation shows. */
export interface Peer {
  readonly name: string;
  /** Its own names of units, by our codes; a unit that it does not have is absent. */
  readonly units: ReadonlyMap<string, string>;
  readonly convert: (value: number, from: string, to: string) => number;
}

const ALIKE =
  'm km cm mm in ft yd mi m2 cm2 mm2 km2 in2 ft2 yd2 mi2 ha kg g mg oz lb m3 cm3 mm3 km3 in3 ft3 yd3 K J kJ Wh kWh MWh GWh';

/** `a=b` where the peer writes `b` for our `a`. */
const namesOf = (text: string): Map<string, string> =>
  new Map(
    text.split('|').map((each) => {
      const [ours = '', theirs = ours] = each.split('=');
      return [ours, theirs];
    }),
  );

const CONVERT_UNITS = namesOf(
  `${ALIKE.replaceAll(' ', '|')}|ug=mcg|t=mt|ton_us=t|ft_us=ft-us|acre=ac|L=l|mL=ml|cL=cl|dL=dl|kL=kl|tsp_us=tsp|tbsp_us=Tbs|` +
    'floz_us=fl-oz|cup_us=cup|pt_us=pnt|qt_us=qt|gal_us=gal|Cel=C|degF=F|degR=R|m/s|km/h|mi/h=m/h|kn=knot|ft/s|' +
    'bit=b|Kibit=Kb|Mibit=Mb|Gibit=Gb|Tibit=Tb|B|KiB=KB|MiB=MB|GiB=GB|TiB=TB',
);

const CONVERT = namesOf(
  `${ALIKE.replaceAll(' ', '|')}|um=μm|nm|pm|dm|dam|hm|Mm|Gm|nmi|ly|ft_us=US survey foot|dm2|um2=μm2|acre|a=are|` +
    'ug=μg|Mg|t|kt|Mt|gr|st|cwt_us=short hundredweight|cwt_uk=long hundredweight|ton_us=short ton|ton_uk=long ton|ozt=troy ounce|' +
    'dm3|mi3|L|mL|cL|dL|hL|kL|uL=μL|ML|gal_us=gallon|qt_us=quart|pt_us=pint|cup_us=cup|floz_us=US fluid ounce|tbsp_us=tablespoon|' +
    'tsp_us=teaspoon|gal_uk=imperial gallon|qt_uk=imperial quart|pt_uk=imperial pint|floz_uk=imperial fluid ounce|bu_uk=imperial bushel|' +
    'pk_uk=imperial peck|bu_us=US bushel|pk_us=US peck|dry_gal_us=US dry gallon|dry_qt_us=US dry quart|dry_pt_us=US dry pint|' +
    'acre_ft=acre-foot|fbm=board foot|Cel=C|degF=F|degR=R|MJ|GJ|mJ|bit|nibble|B|' +
    'kB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|PiB|kbit=kb|Mbit=Mb|Gbit=Gb|Tbit=Tb|Pbit=Pb|Kibit=Kib|Mibit=Mib|Gibit=Gib|Tibit=Tib|Pibit=Pib',
);

interface ConvertUnits {
  (value: number): { from(unit: string): { to(unit: string): number } };
}

/** The package has no types. */
const convertUnits = createRequire(import.meta.url)('convert-units') as ConvertUnits;

export const PEERS: readonly Peer[] = [
  {
    name: 'convert-units 2.3.4',
    units: CONVERT_UNITS,
    convert: (value, from, to) => convertUnits(value).from(from).to(to),
  },
  {
    name: 'convert 8.0.2',
    units: CONVERT,
    convert: (value, from, to) => convert(value, from as 'meters').to(to as 'meters'),
  },
];
