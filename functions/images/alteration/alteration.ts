/** Signs that a picture was changed after it was taken. */
export interface Alteration {
  /** From 0 to 1: enough to call a person from 0.5, and never enough to refuse. */
  readonly score: number;
  /** `software: …`, `pdf-producer: …`, `pdf-updated`, `ela`. */
  readonly signs: readonly string[];
}

export interface Traces {
  readonly programs: readonly string[];
  /** Programs that a PDF names as its maker. */
  readonly pdfPrograms: readonly string[];
  readonly pdfUpdated: boolean;
  /** How much the hottest word stands out: see `hottestWord`. */
  readonly pastedPrint: number | undefined;
}

const GENERATORS =
  /trainedAlgorithmicMedia|compositeSynthetic|Midjourney|DALL|Stable Diffusion|Firefly|ComfyUI|NovelAI|Imagen/i;
/** Programs that paint over pixels. Those that only develop, rotate or share pictures are no sign. */
const EDITORS =
  /Photoshop|GIMP|Snapseed|PicsArt|Pixlr|Photopea|Paint\.NET|PaintShop|Paint Shop|Affinity|Krita|CorelDRAW|PHOTO-PAINT|Pixelmator|Facetune|TouchRetouch|Fotor|Meitu|Inkscape|Illustrator|InDesign|Canva|Figma|Sketch\b|Acorn|Polarr|YouCam|AirBrush|Luminar|Seashore/i;
/** Programs that write or change documents by hand. Tills, shops and browsers print by others. */
const WRITERS =
  /Microsoft.{0,3} (?:Word|Excel|PowerPoint|Publisher)|LibreOffice|OpenOffice|Writer|Calc\b|Google Docs|\bPages\b|Sejda|PDFescape|Smallpdf|PDFelement|Nitro|Foxit.{0,10}Editor|PDF-XChange Editor|PDFsam|DocHub|pdfFiller|Acrobat Pro|Acrobat DC|LightPDF|Soda PDF/i;

const WEIGHTS = { generated: 0.9, edited: 0.6, written: 0.6, updated: 0.2 };
/** Below the first, nothing stands out more than chance; at the second, the sign alone would be proof. */
const HEAT_FROM = 1.4;
const HEAT_TO = 3.4;
/** Of real scans, one in fifty has a word that is as hot, mostly under a stamp or handwriting. */
const HEAT_SIGN = 2.4;
const NAME_MAX = 80;

/** Whether a file that names this program may have been painted, or generated. */
export const isSign = (program: string): boolean => GENERATORS.test(program) || EDITORS.test(program);

/** Signs are independent: each takes its part of what the others leave in doubt. */
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
  // One program names itself in several places of a file: each kind of sign counts once, by its heaviest.
  const kinds = Map.groupBy(weighted, ([sign]) => sign.split(':')[0]);
  const weights = [heat, ...[...kinds.values()].map((same) => Math.max(...same.map(([, weight]) => weight)))];
  const score = 1 - weights.reduce((doubt, weight) => doubt * (1 - weight), 1);
  const signs = [...new Set(weighted.map(([sign]) => sign.slice(0, NAME_MAX)))];
  return {
    score: Math.round(score * 1000) / 1000,
    signs: pastedPrint >= HEAT_SIGN ? [...signs, 'ela'] : signs,
  };
}
