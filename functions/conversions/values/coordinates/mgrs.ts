import { asNumber, type Coordinate, unparseable } from './coordinate.ts';
import { project } from './transverse-mercator.ts';
import { BANDS, bandOf, ofUtm, utmOf } from './utm.ts';

export const MGRS_DIGITS = { shortest: 0, longest: 5, usual: 5 } as const;

const COLUMNS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
const ROWS = 'ABCDEFGHJKLMNPQRSTUV';
const SQUARE = 100_000;
/** Metres per degree of latitude at the equator, where they are fewest. */
const METRES_PER_DEGREE = 110_574;
/** The height after which row letters repeat. */
const CYCLE = ROWS.length * SQUARE;
/** Rows of even zones begin with F. */
const rowShift = (zone: number): number => (zone % 2 === 0 ? 5 : 0);
const columnsOf = (zone: number): string => COLUMNS[(zone - 1) % 3] ?? '';

/**
 * The square that contains the point, with `digits` digits of easting and northing: five for one metre, none for 100
 * km.
 */
export function writeMgrs(coordinate: Coordinate, digits: number): string {
  const { zone, easting, northing, latitude } = utmOf(coordinate);
  const column = columnsOf(zone).charAt(Math.floor(easting / SQUARE) - 1);
  const row = ROWS.charAt((Math.floor(northing / SQUARE) + rowShift(zone)) % ROWS.length);
  const part = (metres: number) =>
    String(Math.floor(metres % SQUARE))
      .padStart(5, '0')
      .slice(0, digits);
  return `${zone}${bandOf(latitude)}${column}${row}${part(easting)}${part(northing)}`;
}

/** The centre of the square. */
export function readMgrs(text: string): Coordinate {
  const plain = text.slice(0, 40).replace(/\s/g, '').toUpperCase();
  const [match, zoneText = '', band = '', column = '', row = '', digits = ''] =
    /^(\d{1,2})([C-HJ-NP-X])([A-HJ-NP-Z])([A-HJ-NP-V])((?:\d\d){0,5})$/.exec(plain) ?? [];
  const zone = Number(zoneText);
  const columnIndex = columnsOf(zone).indexOf(column);
  if (match === undefined || zone < 1 || zone > 60) {
    throw unparseable(text, 'MGRS is written like 10SEG5113080998, with as many digits of easting as of northing');
  }
  if (band === 'X' && [32, 34, 36].includes(zone)) throw unparseable(text, `there is no zone ${zone} in band X`);
  if (columnIndex < 0) throw unparseable(text, `zone ${zone} has no column ${column}`);
  const half = digits.length / 2;
  const size = SQUARE / 10 ** half;
  const middle = (part: string) => (part === '' ? 0 : Number(part) * size) + size / 2;
  const easting = (columnIndex + 1) * SQUARE + middle(digits.slice(0, half));
  const inRow = ((ROWS.indexOf(row) - rowShift(zone) + ROWS.length) % ROWS.length) * SQUARE;
  const south = band < 'N';
  const northing = inRow + middle(digits.slice(half)) + cyclesBelow(band, inRow) * CYCLE;
  const coordinate = ofUtm({ zone, south, easting, northing }, half - 5);
  const [from, to] = limitsOf(band);
  const latitude = asNumber(coordinate.latitude);
  // The centre of a square that reaches into the band is at most half a square beyond it, or a little more at a corner.
  const beyond = (size * 0.55) / METRES_PER_DEGREE;
  if (latitude < from - beyond || latitude > to + beyond) {
    throw unparseable(text, `band ${band} has no row ${row} in zone ${zone}`);
  }
  return coordinate;
}

function limitsOf(band: string): readonly [from: number, to: number] {
  const from = BANDS.indexOf(band) * 8 - 80;
  return [from, band === 'X' ? 84 : from + 8];
}

/** The number of times that the row letters repeat south of the band. */
function cyclesBelow(band: string, inRow: number): number {
  const [from] = limitsOf(band);
  const { north } = project({ latitude: from, longitude: 0 });
  const lowest = (from < 0 ? north + 10_000_000 : north) - SQUARE;
  return Math.ceil((lowest - inRow - SQUARE / 2) / CYCLE);
}
