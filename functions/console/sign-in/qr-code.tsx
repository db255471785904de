import { encode } from 'uqr';

/** The empty modules around the code, which readers need (ISO/IEC 18004 requires 4). */
const QUIET = 4;

/** A text as a QR code, black on white in dark mode too, because not every reader accepts inverted colours. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const side = size + 2 * QUIET;
  const modules = data.flatMap((row, y) =>
    row.map((isBlack, x) => (isBlack ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}
