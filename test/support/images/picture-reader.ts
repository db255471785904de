import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'functions', 'images');

/**
 * Writes a handler that answers the words of a picture of which it is given the path, and uses all native packages. With
 * `{ forever: path }` it reads the picture until it is killed, and prints a line before each reading; with `{ abort: true }`
 * its process aborts, as it does when native code fails; with `{ environment: true }` it answers its variables.
 */
export function writeReader(entry: string): void {
  const imported = (name: string, file: string) => `import { ${name} } from ${JSON.stringify(join(IMAGES, file))};`;
  writeFileSync(
    entry,
    `import { readFileSync } from 'node:fs';
    ${imported('OnnxOcr', 'ocr/ocr.onnx.ts')}
    ${imported('openPicture', 'pictures/open-picture.sharp.ts')}
    const ocr = new OnnxOcr({ timeLimitMs: 60_000 });
    export const close = () => ocr.close();
    const read = async (file: string) => {
      const opened = await openPicture(readFileSync(file));
      if (typeof opened === 'string') return [opened];
      const found = await ocr.read(opened.pages[0]!);
      return found?.words.map(({ text }) => text);
    };
    export const handler = async (event: string | { forever: string } | { abort: true } | { environment: true }) => {
      if (typeof event === 'string') return read(event);
      if ('abort' in event) process.abort();
      if ('environment' in event) return process.env;
      for (;;) {
        console.log('reading');
        await read(event.forever);
      }
    };`,
  );
}

/** A page of PDF that prints these words in a font that every reader of PDF has. */
export function printedPdf(words: string): string {
  const content = `BT /F 24 Tf 20 40 Td (${words}) Tj ET`;
  const page = '/MediaBox[0 0 400 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${page}>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  // Readers rebuild a missing table of offsets.
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.4\n${body}trailer\n<</Root 1 0 R/Size 6>>\n%%EOF`;
}
