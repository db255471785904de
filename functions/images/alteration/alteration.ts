/** Evidence that a picture was changed after it was taken. */
export interface Alteration {
  /** A score from 0 to 1. From `ALTERED_SCORE_MIN` (picture-rules.ts) a person must look; no score refuses a picture. */
  readonly score: number;
  /** Each sign is `software: …`, `pdf-producer: …`, `pdf-updated` or `ela`. */
  readonly signs: readonly string[];
}

export interface Traces {
  readonly programs: readonly string[];
  /** Programs that a PDF names as its producer or creator. */
  readonly pdfPrograms: readonly string[];
  readonly pdfUpdated: boolean;
  /** The heat of the most suspicious word: see `hottestWord`. */
  readonly pastedPrint: number | undefined;
}

const GENERATORS =
  /trainedAlgorithmicMedia|compositeSynthetic|Midjourney|DALL|Stable Diffusion|Firefly|ComfyUI|NovelAI|Imagen/i;
/** Programs that paint over pixels. Programs that only develop, rotate or share pictures are not listed. */
const EDITORS =
  /Photoshop|GIMP|Snapseed|PicsArt|Pixlr|Photopea|Paint\.NET|PaintShop|Paint Shop|Affinity|Krita|CorelDRAW|PHOTO-PAINT|Pixelmator|Facetune|TouchRetouch|Fotor|Meitu|Inkscape|Illustrator|InDesign|Canva|Figma|Sketch\b|Acorn|Polarr|YouCam|AirBrush|Luminar|Seashore/i;
/** Programs with which people write or edit documents. Tills, shops and browsers print with other programs. */
const WRITERS =
  /Microsoft.{0,3} (?:Word|Excel|PowerPoint|Publisher)|LibreOffice|OpenOffice|Writer|Calc\b|Google Docs|\bPages\b|Sejda|PDFescape|Smallpdf|PDFelement|Nitro|Foxit.{0,10}Editor|PDF-XChange Editor|PDFsam|DocHub|pdfFiller|Acrobat Pro|Acrobat DC|LightPDF|Soda PDF/i;

const WEIGHTS = { generated: 0.9, edited: 0.6, written: 0.6, updated: 0.2 };
/** Up to the first value, the heat is within chance; at the second, it is proof on its own. */
const HEAT_FROM = 1.4;
const HEAT_TO = 3.4;
/** One real scan in fifty has a word this hot, mostly under a stamp or handwriting. */
const HEAT_SIGN = 2.4;
const NAME_MAX = 80;

/** True if a file that names this program may have been painted or generated. */
export const isSign = (program: string): boolean => GENERATORS.test(program) || EDITORS.test(program);

/** Combines the signs as independent evidence: each reduces the remaining doubt by its weight. */
export function alterationOf({ programs, pdfPrograms, pdfUpdated, pastedPrint = 0 }: Traces): Alteration {
  const matching = (texts: readonly string[], pattern: RegExp) => texts.filter((text) => pattern.test(text));
  const weighted: [string, number][] = [
    ...matching(programs, GENERATORS).map((text): [string, number] => [`software: ${text}`, WEIGHTS.generated]),
    ...matching(programs, EDITORS).map((text): [string, number] => [`software: ${text}`, WEIGHTS.edited]),
    ...pdfPrograms
      .filter((text) => EDITORS.test(text) || WRITERS.test(text))
      .map((text): [string, number] => [`pdf-producer: ${text}`, WEIGHTS.written]),
  ];
  if (pdfUpdated) weighted.push(['pdf-updated', WEIGHTS.updated]);
  const heat = Math.min(1, Math.max(0, (pastedPrint - HEAT_FROM) / (HEAT_TO - HEAT_FROM)));
  // A file may name a program in several places, so each kind of sign counts once, with its highest weight.
  const kinds = Map.groupBy(weighted, ([sign]) => sign.split(':')[0]);
  const weights = [heat, ...[...kinds.values()].map((same) => Math.max(...same.map(([, weight]) => weight)))];
  const score = 1 - weights.reduce((doubt, weight) => doubt * (1 - weight), 1);
  const signs = [...new Set(weighted.map(([sign]) => sign.slice(0, NAME_MAX)))];
  return {
    score: Math.round(score * 1000) / 1000,
    signs: pastedPrint >= HEAT_SIGN ? [...signs, 'ela'] : signs,
  };
}
