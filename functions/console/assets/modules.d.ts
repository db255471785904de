declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.woff2' {
  const bytes: Uint8Array;
  export default bytes;
}
declare module '*-script.js' {
  const text: string;
  export default text;
}
