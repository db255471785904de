import {
  all,
  blur,
  crop,
  crumple,
  type Damage,
  developed,
  fade,
  lean,
  noise,
  onTable,
  quarterTurns,
  shadow,
  smaller,
} from './damage.ts';

interface Distortion {
  readonly damage?: Damage;
  /** Of the JPEG that the file then must be. */
  readonly jpegQuality?: number;
  /** Quarter turns that the file's EXIF orientation takes back. */
  readonly exifTurns?: number;
}

/** What a person still reads without effort. */
export const READABLE = {
  clean: {},
  noise: { damage: noise(18) },
  'leaning 3': { damage: lean(3) },
  'leaning 8': { damage: lean(8) },
  'turned 90': { damage: quarterTurns(1) },
  'turned 180': { damage: quarterTurns(2) },
  'turned 270': { damage: quarterTurns(3) },
  'exif 90': { exifTurns: 1 },
  'exif 180': { exifTurns: 2 },
  'exif 270': { exifTurns: 3 },
  'jpeg 30': { jpegQuality: 30 },
  'jpeg 12': { jpegQuality: 12 },
  'blur 1.2': { damage: blur(1.2) },
  'blur 2.2': { damage: blur(2.2) },
  perspective: { damage: onTable(0.06) },
  shadow: { damage: shadow(0.5) },
  'half resolution': { damage: smaller(0.5) },
  photo: { damage: all(crumple(0.004), onTable(0.04), shadow(0.25), blur(0.8), noise(4), developed), jpegQuality: 80 },
  'hard photo': { damage: all(crumple(0.006), onTable(0.08), shadow(0.55), blur(1.3), noise(7)), jpegQuality: 50 },
  faded: { damage: all(fade(0.4), noise(3)) },
  crumpled: { damage: all(crumple(0.012), shadow(0.15)) },
} as const satisfies Readonly<Record<string, Distortion>>;

/** What must not be decided from: print that nobody reads, or that is not all there. */
export const UNREADABLE = {
  'blur 6': { damage: blur(6) },
  'cropped left': { damage: crop('left', 0.25) },
  'cropped right': { damage: crop('right', 0.2) },
  'cropped top': { damage: crop('top', 0.35) },
  'cropped bottom': { damage: crop('bottom', 0.4) },
} as const satisfies Readonly<Record<string, Distortion>>;

export type DistortionName = keyof typeof READABLE | keyof typeof UNREADABLE;

export const distortionOf = (name: DistortionName): Distortion => ({ ...READABLE, ...UNREADABLE })[name];
