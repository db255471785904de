declare module 'parse-address' {
  const parser: {
    parseLocation(text: string): { readonly city?: string; readonly state?: string } | null;
  };
  export default parser;
}
