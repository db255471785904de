/** Last digit of a GTIN, an ISBN-13 or any other GS1 key, from the digits before it. */
export function gs1CheckDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index++) {
    const weight = (body.length - index) % 2 === 1 ? 3 : 1;
    sum += Number(body[index]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Last character of an ISBN-10, `0` to `9` or `X`, from the nine digits before it. */
export function isbn10CheckDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index++) sum += Number(body[index]) * (10 - index);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? 'X' : String(digit);
}
