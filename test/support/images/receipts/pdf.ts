import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';
import { rawGrey } from '../../../../functions/images/pictures/open-picture.sharp.ts';

const DOTS_PER_INCH = 200;
const POINTS_PER_INCH = 72;

/** A PDF as scanners write it: every page is one JPEG. */
export async function pdfOf(pages: readonly GreyImage[], quality: number): Promise<Buffer> {
  const objects: Buffer[] = [Buffer.from('<</Type/Catalog/Pages 2 0 R>>')];
  const kids = pages.map((_, at) => `${3 * at + 3} 0 R`).join(' ');
  objects.push(Buffer.from(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`));
  for (const [at, page] of pages.entries()) {
    const { width, height } = page;
    const [wide, high] = [width, height].map((side) => ((side * POINTS_PER_INCH) / DOTS_PER_INCH).toFixed(2));
    const number = 3 * at + 3;
    const image = await rawGrey(page).toColourspace('b-w').jpeg({ quality }).toBuffer();
    objects.push(
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${wide} ${high}]/Resources<</XObject<</P ${number + 2} 0 R>>>>/Contents ${number + 1} 0 R>>`,
      ),
      stream('', Buffer.from(`q ${wide} 0 0 ${high} 0 0 cm /P Do Q`)),
      stream(
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode`,
        image,
      ),
    );
  }
  return fileOf(objects);
}

const stream = (entries: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${entries}/Length ${content.byteLength}>>stream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

function fileOf(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]!.byteLength;
  const offsets = objects.map((object, at) => {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    const offset = length;
    parts.push(part);
    length += part.byteLength;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}
