import { gs1CheckDigit } from './check-digit.ts';

/** The eleven digits before the check digit of the UPC-A that a UPC-E of eight digits, or of seven without its check digit, stands for. */
export function upcABody(upcE: string): string {
  const system = upcE.slice(0, 1);
  const six = upcE.slice(1, 7);
  const last = six.slice(5);
  if (last <= '2') return `${system}${six.slice(0, 2)}${last}0000${six.slice(2, 5)}`;
  if (last === '3') return `${system}${six.slice(0, 3)}00000${six.slice(3, 5)}`;
  if (last === '4') return `${system}${six.slice(0, 4)}00000${six.slice(4, 5)}`;
  return `${system}${six.slice(0, 5)}0000${last}`;
}

export function upcAOfUpcE(upcE: string): string {
  const body = upcABody(upcE);
  return body + gs1CheckDigit(body);
}

/** The UPC-E of a UPC-A; undefined where its digits leave no zeros to suppress. */
export function upcEOfUpcA(upcA: string): string | undefined {
  const [, system = '', maker = '', product = '', check = ''] = /^([01])(\d{5})(\d{5})(\d)$/.exec(upcA) ?? [];
  const six = system === '' ? undefined : suppressed(maker, product);
  return six === undefined ? undefined : `${system}${six}${check}`;
}

function suppressed(maker: string, product: string): string | undefined {
  if (/^..[012]00$/.test(maker) && product.startsWith('00')) {
    return `${maker.slice(0, 2)}${product.slice(2)}${maker.slice(2, 3)}`;
  }
  if (maker.endsWith('00') && product.startsWith('000')) return `${maker.slice(0, 3)}${product.slice(3)}3`;
  if (maker.endsWith('0') && product.startsWith('0000')) return `${maker.slice(0, 4)}${product.slice(4)}4`;
  if (/^0000[5-9]$/.test(product)) return `${maker}${product.slice(4)}`;
  return undefined;
}
